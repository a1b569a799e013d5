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
export function progressLine(stream: NodeJS.WriteStream) {
  const { isTTY } = stream;
  let text = () => '';
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;
  const show = () => {
    const line = text();
    if (line === '') return;
    isShown = isTTY;
    // One that is longer than the line would leave its beginning behind.
    stream.write(isTTY ? `${CLEARED}  ${line.slice(0, Math.max(0, stream.columns - 3))}` : `  ${line}\n`);
  };
  const repeat = (told: () => string) => {
    text = told;
    if (!isTTY && timer !== undefined) return;
    show();
    clearInterval(timer);
    timer = setInterval(show, isTTY ? REWRITTEN_EVERY_MS : LINE_EVERY_MS);
  };
  return {
    /** Shows on a terminal what the run has counted. */
    follow: (counts: () => Counts) => {
      const began = performance.now();
      const elapsed = () => performance.now() - began;
      if (isTTY) repeat(() => (elapsed() < FIRST_AFTER_MS ? '' : countsText(counts(), elapsed())));
    },
    /** Shows what a thorough run has told, at once the first time. */
    take: (progress: Progress) => {
      const at = performance.now();
      repeat(() => progressText({ ...progress, usedMs: progress.usedMs + performance.now() - at }));
    },
    close: () => {
      clearInterval(timer);
      if (isShown) stream.write(CLEARED);
    },
  };
}

/** `judging: 12 of 78 requirements, 140 requests, 3 s`. */
function countsText({ judged, wanted, requests }: Counts, milliseconds: number): string {
  return `judging: ${judged} of ${wanted} requirements, ${counted(requests, 'request')}, ${Math.round(milliseconds / 1000)} s`;
}

/** `exploring: 12 of 60 s, 140 users, 900 requests; round 3`. */
function progressText({ usedMs, budgetMs, users, requests, what }: Progress): string {
  const seconds = (ms: number) => Math.round(ms / 1000);
  const used = seconds(Math.min(usedMs, budgetMs));
  return `exploring: ${used} of ${seconds(budgetMs)} s, ${counted(users, 'user')}, ${counted(requests, 'request')}; ${what}`;
}
