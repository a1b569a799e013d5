import type { Progress } from '../requirement/explore.ts';

/** The channel on which the worker says how far a thorough run is. */
export const PROGRESS = 'user-management-conformance progress';

/** How often a stream that is no terminal gets a line. Milliseconds. */
const LINE_EVERY_MS = 10_000;

/** Takes the line that is rewritten off a terminal. */
const CLEARED = '\r\u001b[K';

/** Shows how far a thorough run is: on a terminal in one line that is rewritten, elsewhere by a line every ten seconds. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #channel = new BroadcastChannel(PROGRESS);
  #shown = false;
  #last = Number.NEGATIVE_INFINITY;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#channel.onmessage = ({ data }) => this.#show(data as Progress);
  }

  /** Takes the line away, for others to be printed. */
  clear(): void {
    if (this.#shown) this.#stream.write(CLEARED);
    this.#shown = false;
  }

  close(): void {
    this.clear();
    this.#channel.close();
  }

  #show({ usedMs, budgetMs, users, requests, what }: Progress): void {
    const seconds = (ms: number) => Math.round(ms / 1000);
    const text = `exploring: ${seconds(usedMs)} of ${seconds(budgetMs)} s, ${users} users, ${requests} requests; ${what}`;
    if (this.#stream.isTTY) {
      this.#stream.write(`${CLEARED}  ${text.slice(0, Math.max(20, this.#stream.columns - 3))}`);
      this.#shown = true;
    } else if (performance.now() - this.#last >= LINE_EVERY_MS) {
      this.#stream.write(`  ${text}\n`);
      this.#last = performance.now();
    }
  }
}
