import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import type { Redact } from '../http/secrets.ts';
import { sanitize } from '../reports/text.ts';
import { listFiles } from '../reports/written-files.ts';
import { SettingsError } from '../settings/errors.ts';
import { causeOf } from '../settings/files.ts';
import { nameOf } from '../settings/names.ts';

/** The file `service.log` with the output of a service, without secrets and control characters. */
export interface ServiceLog {
  /** The path of the file, relative to the working directory. */
  name: string;
  /** Writes the lines of a process to the file as they come. Forgets those of an earlier process. */
  follow: (outputs: readonly Readable[]) => void;
  /** Returns the last lines, safe to print on a terminal. Stack traces and empty lines are cut. */
  lastLines: () => string[];
  close: () => void;
}

/** Lines that are kept for the terminal. */
const LAST_LINES = 10;
/** Characters of a line in the file. */
const LINE_LIMIT = 10_000;
/** Characters of a line on the terminal. */
const SHOWN_LIMIT = 200;
/** Lines of a stack trace on the terminal. */
const SHOWN_FRAMES = 2;
/** A line of a stack trace as Node, Java, .NET, Ruby, PHP and Go print it. */
const FRAME = /^\s+(at|from|\.\.\.) |\s\sat |^#\d+ |^\t\S+:\d|^(goroutine|created by) |^\S+\(.*\)$/;
const FILE_BYTES = 16 * 1024 * 1024;
const END = '… (more than 16 MiB: the rest is left out)\n';

/** Creates the file, in place of an existing one. Throws a SettingsError. */
export function openServiceLog(directory: string, redact: Redact): ServiceLog {
  const path = join(directory, 'service.log');
  const name = relative(process.cwd(), path);
  const file = createFile(directory, path, name);
  let bytesLeft = FILE_BYTES - Buffer.byteLength(END);
  let last: string[] = [];
  let frames = 0;

  const cleanLines = (lines: readonly string[]): string[] => {
    if (lines.length === 0) return [];
    const cut = lines.map((line) =>
      line.length > LINE_LIMIT ? `${redact(line, LINE_LIMIT)}…` : line,
    );
    // All lines at once, because there may be millions.
    return sanitize(redact(cut.join('\n').replace(/\r$/gm, ''))).split('\n');
  };
  const write = (lines: readonly string[]): void => {
    const bytes = Buffer.from(`${cleanLines(lines).join('\n')}\n`);
    const fits = bytes.length <= bytesLeft;
    bytesLeft = fits ? bytesLeft - bytes.length : 0;
    try {
      writeSync(file, fits ? bytes : Buffer.from(END));
    } catch {
      // A full disk must not end the run.
      bytesLeft = 0;
    }
  };
  const keepForTerminal = (line: string): void => {
    if (line.trim() === '') return;
    frames = FRAME.test(line.slice(0, SHOWN_LIMIT)) ? frames + 1 : 0;
    if (frames <= SHOWN_FRAMES) last.push(line);
    else if (frames === SHOWN_FRAMES + 1) last.push('    …');
  };
  const add = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    lines.forEach(keepForTerminal);
    last = last.slice(-LAST_LINES);
    if (bytesLeft > 0) write(lines);
  };
  const followOne = (output: Readable): void => {
    let rest = '';
    output.setEncoding('utf8').on('data', (data: string) => {
      const lines = `${rest}${data}`.split('\n');
      // Longer than a line in the file: a key at the cut must be complete to be found.
      rest = (lines.pop() as string).slice(0, 4 * LINE_LIMIT);
      add(lines);
    });
    output.once('close', () => add(rest === '' ? [] : [rest]));
  };

  return {
    name,
    follow: (outputs) => {
      last = [];
      for (const output of outputs) followOne(output);
    },
    lastLines: () => cleanLines(last).map((line) => line.slice(0, SHOWN_LIMIT)),
    close: () => {
      // A process outside the group may still write.
      bytesLeft = 0;
      closeSync(file);
    },
  };
}

function createFile(directory: string, path: string, name: string): number {
  try {
    // Removes a link or a pipe itself. A write to its target could do harm.
    rmSync(path, { force: true });
    listFiles(directory, ['service.log']);
    return openSync(path, 'wx');
  } catch (error) {
    throw new SettingsError(
      `${name} can't be written (${causeOf(error)}): remove it, or set ${nameOf('CONFORMANCE_REPORT_DIR')}.`,
    );
  }
}
