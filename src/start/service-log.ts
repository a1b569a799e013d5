import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Redact } from '../http/redaction.ts';
import { inertLine } from '../reports/text.ts';

/** Lines that are kept for the terminal. */
const LAST_LINES = 10;
/** Characters of one line: a longer one is cut. */
const LINE_LIMIT = 10_000;

/** What a service prints: it goes into a file, without the secrets, and its last lines are kept. */
export class ServiceLog {
  readonly path: string;
  readonly #file: WriteStream;
  readonly #redact: Redact;
  readonly #last: string[] = [];

  constructor(path: string, redact: Redact) {
    this.path = path;
    this.#redact = redact;
    this.#file = createWriteStream(path);
    // A full disk ends no run.
    this.#file.on('error', () => {});
  }

  /** Takes what comes, a line at a time. */
  take(output: Readable): void {
    createInterface({ input: output }).on('line', (line) => {
      const redacted = this.#redact(line, LINE_LIMIT);
      this.#file.write(`${redacted}\n`);
      this.#last.push(redacted);
      if (this.#last.length > LAST_LINES) this.#last.shift();
    });
  }

  /** What it printed last: a sentence with the name of the file, and the lines as they may stand on a terminal. */
  last(): { sentence: string; lines: string[] } {
    if (this.#last.length === 0) return { sentence: 'It printed nothing.', lines: [] };
    const lines = this.#last.map((line) => `  ${inertLine(line).slice(0, 200)}`);
    return { sentence: `Its last lines, more of which are in ${this.path}:`, lines };
  }

  close(): Promise<void> {
    return new Promise((closed) => this.#file.end(() => closed()));
  }
}
