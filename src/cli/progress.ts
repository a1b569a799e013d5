import type { Progress } from '../conduct/explore.ts';
import { counted } from '../verdict/verdict.ts';

/** How often the line of a terminal is written again, and how often a stream that is none gets one. Milliseconds. */
const [REWRITTEN_EVERY_MS, LINE_EVERY_MS] = [500, 10_000];

/** Takes the line that is rewritten off a terminal. */
const CLEARED = '\r\u001b[K';

/**
 * Shows how far a thorough run is: on a terminal in one line that is rewritten, elsewhere by a line every ten seconds. The time
 * goes on between two tellings of the run, which may be as long as a pause or a slow service makes them.
 */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #told: { progress: Progress; at: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Takes the line away, for others to be printed. */
  clear(): void {
    if (this.#shown) this.#stream.write(CLEARED);
    this.#shown = false;
  }

  close(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  /** Shows what the run has told, at once the first time. */
  take(progress: Progress): void {
    const isFirst = this.#told === undefined;
    this.#told = { progress, at: performance.now() };
    if (isFirst || this.#stream.isTTY) this.#show();
    this.#timer ??= setInterval(() => this.#show(), this.#stream.isTTY ? REWRITTEN_EVERY_MS : LINE_EVERY_MS);
  }

  #show(): void {
    if (this.#told === undefined) return;
    const { progress, at } = this.#told;
    const text = progressText({ ...progress, usedMs: progress.usedMs + performance.now() - at });
    if (this.#stream.isTTY) {
      // One that is longer than the line would leave its beginning behind.
      this.#stream.write(`${CLEARED}  ${text.slice(0, Math.max(0, this.#stream.columns - 3))}`);
      this.#shown = true;
    } else {
      this.#stream.write(`  ${text}\n`);
    }
  }
}

/** `exploring: 12 of 60 s, 140 users, 900 requests; round 3`. */
export function progressText({ usedMs, budgetMs, users, requests, what }: Progress): string {
  const seconds = (ms: number) => Math.round(ms / 1000);
  const used = seconds(Math.min(usedMs, budgetMs));
  return `exploring: ${used} of ${seconds(budgetMs)} s, ${counted(users, 'user')}, ${counted(requests, 'request')}; ${what}`;
}
