import type { Counts } from '../run/conduct.ts';
import type { Progress } from '../thorough/explore.ts';
import { counted } from '../verdict/verdict.ts';

/** The control characters that clear the line of a terminal. */
const CLEARED = '\r\u001b[K';

/** The part of a stream that a progress line needs. */
type ProgressStream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & {
  write: (text: string) => boolean;
};

/** The progress of a run on a stream. */
export interface ProgressLine {
  /** Shows the counts of a run, on a terminal only. */
  showCounts: (counts: () => Counts) => void;
  /** Shows the progress of a thorough run. */
  showExploration: (progress: Progress) => void;
  close: () => void;
}

/**
 * Returns a progress line. On a terminal it is rewritten twice a second, after the first second.
 * Elsewhere a thorough run prints a line every ten seconds.
 */
export function progressLine(stream: ProgressStream): ProgressLine {
  const { isTTY } = stream;
  let makeText = () => '';
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    const text = makeText();
    if (text === '') return;
    // A text of more than a line could not be cleared.
    const line = isTTY ? text.slice(0, Math.max(0, stream.columns - 3)) : text;
    stream.write(isTTY ? `${CLEARED}  ${line}` : `  ${line}\n`);
  };
  const showRepeatedly = (nextText: () => string) => {
    makeText = nextText;
    if (isTTY || timer === undefined) show();
    timer ??= setInterval(show, isTTY ? 500 : 10_000);
  };
  return {
    showCounts: (counts) => {
      if (!isTTY) return;
      const start = performance.now();
      showRepeatedly(() => {
        const elapsedMs = performance.now() - start;
        return elapsedMs < 1000 ? '' : countsText(counts(), elapsedMs);
      });
    },
    showExploration: (progress) => {
      const start = performance.now();
      showRepeatedly(() => {
        const usedMs = progress.usedMs + performance.now() - start;
        return progressText({ ...progress, usedMs });
      });
    },
    close: () => {
      clearInterval(timer);
      if (isTTY) stream.write(CLEARED);
    },
  };
}

/** Returns a text such as `judging: 12 of 78 requirements, 140 requests, 3 s`. */
function countsText({ judged, wanted, requests }: Counts, elapsedMs: number): string {
  const seconds = Math.round(elapsedMs / 1000);
  return `judging: ${judged} of ${wanted} requirements, ${counted(requests, 'request')}, ${seconds} s`;
}

/** Returns a text such as `exploring: 12 of 60 s, 140 users, 900 requests; round 3`. */
function progressText({ usedMs, budgetMs, users, requests, activity }: Progress): string {
  const seconds = (ms: number) => Math.round(ms / 1000);
  const used = seconds(Math.min(usedMs, budgetMs));
  return `exploring: ${used} of ${seconds(budgetMs)} s, ${counted(users, 'user')}, ${counted(requests, 'request')}; ${activity}`;
}
