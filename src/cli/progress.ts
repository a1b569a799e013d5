import type { Counts } from '../run/conduct.ts';
import type { Progress } from '../thorough/explore.ts';
import { counted } from '../verdict/verdict.ts';

/** Takes the line that is rewritten off a terminal. */
const CLEARED = '\r\u001b[K';

/**
 * Shows how far a run is: on a terminal in one line that is rewritten twice a second, from its
 * first second on; elsewhere, for a thorough run, by a line every ten seconds.
 */
export function progressLine(stream: NodeJS.WriteStream) {
  const { isTTY } = stream;
  let text = () => '';
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    const line = text();
    if (line === '') return;
    // One that is longer than the line would leave its beginning behind.
    stream.write(
      isTTY ? `${CLEARED}  ${line.slice(0, Math.max(0, stream.columns - 3))}` : `  ${line}\n`,
    );
  };
  const repeat = (told: () => string) => {
    text = told;
    if (isTTY || timer === undefined) show();
    timer ??= setInterval(show, isTTY ? 500 : 10_000);
  };
  return {
    /** Shows on a terminal what the run has counted. */
    follow: (counts: () => Counts) => {
      const began = performance.now();
      const elapsed = () => performance.now() - began;
      if (isTTY) repeat(() => (elapsed() < 1000 ? '' : countsText(counts(), elapsed())));
    },
    /** Shows what a thorough run has told, at once the first time. */
    take: (progress: Progress) => {
      const toldAt = performance.now();
      const usedMs = () => progress.usedMs + performance.now() - toldAt;
      repeat(() => progressText({ ...progress, usedMs: usedMs() }));
    },
    close: () => {
      clearInterval(timer);
      if (isTTY) stream.write(CLEARED);
    },
  };
}

/** `judging: 12 of 78 requirements, 140 requests, 3 s`. */
const countsText = ({ judged, wanted, requests }: Counts, milliseconds: number): string =>
  `judging: ${judged} of ${wanted} requirements, ${counted(requests, 'request')}, ${Math.round(milliseconds / 1000)} s`;

/** `exploring: 12 of 60 s, 140 users, 900 requests; round 3`. */
function progressText({ usedMs, budgetMs, users, requests, activity }: Progress): string {
  const seconds = (ms: number) => Math.round(ms / 1000);
  const used = seconds(Math.min(usedMs, budgetMs));
  return `exploring: ${used} of ${seconds(budgetMs)} s, ${counted(users, 'user')}, ${counted(requests, 'request')}; ${activity}`;
}
