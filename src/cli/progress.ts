import type { Counts } from '../conduct/conduct.ts';
import type { Progress } from '../conduct/explore.ts';
import { counted } from '../verdict/verdict.ts';

/** How often the line of a terminal is written again, and how often a stream that is none gets one. Milliseconds. */
const [REWRITTEN_EVERY_MS, LINE_EVERY_MS] = [500, 10_000];

/** A run that is over by then needs no line. Milliseconds. */
const FIRST_AFTER_MS = 1000;

/** Takes the line that is rewritten off a terminal. */
const CLEARED = '\r\u001b[K';

/**
 * Shows how far a run is: on a terminal in one line that is rewritten, from its first second on; elsewhere, for a thorough run,
 * by a line every ten seconds. The time goes on between two tellings of the run.
 */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #text = () => '';
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.#shown) this.#stream.write(CLEARED);
    this.#shown = false;
  }

  /** Shows on a terminal what the run has counted. */
  follow(counts: () => Counts): void {
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    if (this.#stream.isTTY) this.#repeat(() => (elapsed() < FIRST_AFTER_MS ? '' : countsText(counts(), elapsed())));
  }

  /** Shows what a thorough run has told, at once the first time. */
  take(progress: Progress): void {
    const at = performance.now();
    this.#repeat(() => progressText({ ...progress, usedMs: progress.usedMs + performance.now() - at }));
  }

  #repeat(text: () => string): void {
    const { isTTY } = this.#stream;
    this.#text = text;
    if (!isTTY && this.#timer !== undefined) return;
    this.#show();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#show(), isTTY ? REWRITTEN_EVERY_MS : LINE_EVERY_MS);
  }

  #show(): void {
    const text = this.#text();
    if (text === '') return;
    // One that is longer than the line would leave its beginning behind.
    const line = text.slice(0, Math.max(0, this.#stream.columns - 3));
    this.#shown = this.#stream.isTTY;
    this.#stream.write(this.#shown ? `${CLEARED}  ${line}` : `  ${text}\n`);
  }
}

/** `judging: 12 of 78 requirements, 140 requests, 3 s`. */
function countsText({ judged, wanted, requests }: Counts, milliseconds: number): string {
  return `judging: ${judged} of ${wanted} requirements, ${counted(requests, 'request')}, ${Math.round(milliseconds / 1000)} s`;
}

/** `exploring: 12 of 60 s, 140 users, 900 requests; round 3`. */
export function progressText({ usedMs, budgetMs, users, requests, what }: Progress): string {
  const seconds = (ms: number) => Math.round(ms / 1000);
  const used = seconds(Math.min(usedMs, budgetMs));
  return `exploring: ${used} of ${seconds(budgetMs)} s, ${counted(users, 'user')}, ${counted(requests, 'request')}; ${what}`;
}
