import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Redact } from '../http/redaction.ts';
import { inert } from '../reports/text.ts';
import { codeOf } from '../settings/files.ts';
import { SettingsError } from '../settings/settings-error.ts';

/** Lines that are kept for the terminal, and how many characters of each it shows. */
const LAST_LINES = 10;
const SHOWN = 200;
/** Characters of one line: a longer one is cut. */
const LINE_LIMIT = 10_000;
/** Characters of a line that are looked at: the end of what is shown may hold the beginning of the key. */
const LINE_READ = 4 * LINE_LIMIT;
/** Bytes of the file. */
const FILE_LIMIT = 16 * 1024 * 1024;
const END = '… (more than 16 MiB: the rest is left out)\n';

/** What a service prints: it goes into a file, without the secrets and harmless to a terminal, and its last lines are kept. */
export class ServiceLog {
  /** From the working directory. */
  readonly path: string;
  readonly #file: number;
  readonly #redact: Redact;
  /** Bytes that the file may still take. */
  #room = FILE_LIMIT - Buffer.byteLength(END);
  #last: string[] = [];

  /** Makes the file new, in the place of whatever has its name. Throws a SettingsError. */
  constructor(directory: string, redact: Redact) {
    const file = join(directory, 'service.log');
    this.path = relative(process.cwd(), file);
    this.#redact = redact;
    try {
      // A link or a pipe itself, not what it leads to.
      rmSync(file, { force: true });
      this.#file = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
    } catch (error) {
      throw new SettingsError(
        `${this.path} can't be written (${codeOf(error)}): remove it, or set CONFORMANCE_REPORT_DIR.`,
      );
    }
  }

  /** Takes what comes, a line at a time. */
  take(output: Readable): void {
    const decoder = new StringDecoder();
    let open = '';
    output.on('data', (data: Buffer) => {
      const [first = '', ...others] = decoder.write(data).split('\n');
      const lines = [`${open}${first}`.slice(0, LINE_READ), ...others];
      open = lines.pop() as string;
      this.#add(lines);
    });
    output.once('close', () => {
      if (open !== '') this.#add([open]);
    });
  }

  /** What it printed last, as it may stand on a terminal. */
  last(): string[] {
    return this.#shown(this.#last).map((line) => line.slice(0, SHOWN));
  }

  close(): void {
    closeSync(this.#file);
  }

  #add(lines: string[]): void {
    if (lines.length === 0) return;
    this.#last = [...this.#last, ...lines.slice(-LAST_LINES)].slice(-LAST_LINES);
    if (this.#room === 0) return;
    const bytes = Buffer.from(`${this.#shown(lines).join('\n')}\n`);
    const fits = bytes.length <= this.#room;
    this.#room = fits ? this.#room - bytes.length : 0;
    try {
      writeSync(this.#file, fits ? bytes : Buffer.from(END));
    } catch {
      // A full disk ends no run.
      this.#room = 0;
    }
  }

  #shown(lines: readonly string[]): string[] {
    if (lines.length === 0) return [];
    const cut = lines.map((one) => (one.length > LINE_LIMIT ? `${this.#redact(one, LINE_LIMIT)}…` : one));
    // Together: there may be millions of them.
    return inert(this.#redact(cut.join('\n').replace(/\r$/gm, ''))).split('\n');
  }
}
