import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import type { Redact } from '../http/secrets.ts';
import { sanitize } from '../reports/text.ts';
import { codeOf, SettingsError } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';

/** Lines that are kept for the terminal. */
const LAST_LINES = 10;
/** Characters of one line: a longer one is cut. */
const LINE_LIMIT = 10_000;
const END = '… (more than 16 MiB: the rest is left out)\n';

/**
 * What a service prints: it goes into a file, without the secrets and harmless to a terminal, and its last lines are
 * kept. Makes the file new, in the place of whatever has its name. Throws a SettingsError.
 */
export function serviceLog(directory: string, redact: Redact) {
  const path = join(directory, 'service.log');
  const name = relative(process.cwd(), path);
  let file: number;
  try {
    // A link or a pipe itself, not what it leads to.
    rmSync(path, { force: true });
    file = openSync(path, 'wx');
  } catch (error) {
    throw new SettingsError(
      `${name} can't be written (${codeOf(error)}): remove it, or set ${nameOf('CONFORMANCE_REPORT_DIR')}.`,
    );
  }
  /** Bytes that the file may still take. */
  let room = 16 * 1024 * 1024 - Buffer.byteLength(END);
  let last: string[] = [];
  const shown = (lines: readonly string[]) => {
    if (lines.length === 0) return [];
    const cut = lines.map((one) => (one.length > LINE_LIMIT ? `${redact(one, LINE_LIMIT)}…` : one));
    // Together: there may be millions of them.
    return sanitize(redact(cut.join('\n').replace(/\r$/gm, ''))).split('\n');
  };
  const add = (lines: string[]) => {
    if (lines.length === 0) return;
    last = [...last, ...lines.slice(-LAST_LINES)].slice(-LAST_LINES);
    if (room === 0) return;
    const bytes = Buffer.from(`${shown(lines).join('\n')}\n`);
    const fits = bytes.length <= room;
    room = fits ? room - bytes.length : 0;
    try {
      writeSync(file, fits ? bytes : Buffer.from(END));
    } catch {
      // A full disk ends no run.
      room = 0;
    }
  };
  return {
    /** Of the file, from the working directory. */
    name,
    /** Takes what comes, a line at a time. */
    take: (output: Readable) => {
      let open = '';
      output.setEncoding('utf8').on('data', (data: string) => {
        const lines = `${open}${data}`.split('\n');
        // More than is kept: the end of that may hold the beginning of the key.
        open = (lines.pop() as string).slice(0, 4 * LINE_LIMIT);
        add(lines);
      });
      output.once('close', () => add(open === '' ? [] : [open]));
    },
    /** What it printed last, as it may stand on a terminal. */
    last: () => shown(last).map((line) => line.slice(0, 200)),
    close: () => closeSync(file),
  };
}
