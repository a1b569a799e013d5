import { requirements } from '../../specs/index.ts';
import { countKinds, type KindCount } from '../reports/appearance.ts';
import { type Screen, screenOf } from '../reports/screen.ts';
import { chaptersOf } from '../reports/selection.ts';
import type { JudgedSoFar } from '../run/conduct.ts';
import type { Progress } from '../thorough/budget.ts';
import { counted, type JudgedRequirement } from '../verdict/verdict.ts';

/** The part of a stream that the progress needs. */
type ProgressStream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows'> & {
  write: (text: string) => boolean;
};

/** The progress of a run on a stream. */
export interface ProgressLines {
  /** Shows the chapters and the requests of a run, on a terminal only. */
  showRun: (soFar: () => JudgedSoFar) => void;
  /** Shows the progress of a thorough run. */
  showExploration: (progress: Progress) => void;
  close: () => void;
}

/**
 * Returns the progress of a run. On a terminal it is rewritten twice a second, after the first
 * second. Elsewhere a thorough run prints a line every ten seconds.
 */
export function progressLines(
  stream: ProgressStream,
  isStrict: boolean,
  { paint }: Pick<Screen, 'paint'> = screenOf(process.stdout),
): ProgressLines {
  const { isTTY } = stream;
  let makeLines = (): string[] => [];
  let timer: NodeJS.Timeout | undefined;
  let shown = 1;
  const clear = () => {
    // The cursor is in the last of the lines.
    const up = shown > 1 ? `\u001b[${shown - 1}A` : '';
    stream.write(`\r${up}\u001b[J`);
    shown = 1;
  };
  const show = () => {
    // Lines that leave the screen could not be cleared.
    const lines = makeLines().slice(isTTY ? 1 - stream.rows : 0);
    if (lines.length === 0) return;
    if (isTTY) clear();
    stream.write(isTTY ? lines.join('\n') : `${lines.join('\n')}\n`);
    shown = lines.length;
  };
  const showRepeatedly = (nextLines: () => string[]) => {
    makeLines = nextLines;
    if (isTTY || timer === undefined) show();
    timer ??= setInterval(show, isTTY ? 500 : 10_000);
  };
  /** Cuts a line: one that is wrapped could not be cleared. */
  const cut = (text: string) => (isTTY ? text.slice(0, Math.max(0, stream.columns - 4)) : text);
  return {
    showRun: (soFar) => {
      if (!isTTY) return;
      const start = performance.now();
      showRepeatedly(() => {
        const elapsedMs = performance.now() - start;
        if (elapsedMs < 1000) return [];
        const { requests, outcomes } = soFar();
        const chapters = chaptersSoFar(outcomes, isStrict).map(
          ({ style, symbol, text }) => `${paint(style, symbol)} ${cut(text)}`,
        );
        const seconds = Math.round(elapsedMs / 1000);
        return [...chapters, `  ${cut(`judging: ${counted(requests, 'request')}, ${seconds} s`)}`];
      });
    },
    showExploration: (progress) => {
      const start = performance.now();
      showRepeatedly(() => {
        const usedMs = progress.usedMs + performance.now() - start;
        return [`  ${cut(explorationText({ ...progress, usedMs }))}`];
      });
    },
    close: () => {
      clearInterval(timer);
      if (isTTY) clear();
    },
  };
}

/** A chapter in the middle of a run; the text is `Authentication 12 of 24`. */
type ChapterSoFar = Pick<KindCount, 'style' | 'symbol' | 'text'>;

/** Returns the chapters: each has the mark of its failures, or of a chapter that is complete. */
function chaptersSoFar(outcomes: JudgedSoFar['outcomes'], isStrict: boolean): ChapterSoFar[] {
  const rows = requirements.flatMap(({ slug, level, chapter }) => {
    const outcome = outcomes.get(slug);
    return outcome === undefined ? [] : [{ level, chapter, outcome }];
  });
  return chaptersOf(rows).map(([title, chapterRows]) => {
    const judged = chapterRows.filter(isDecided);
    const [kind] = countKinds(judged, isStrict);
    const text = `${title} ${judged.length} of ${chapterRows.length}`;
    const isMarked = judged.length === chapterRows.length || judged.some(hasFailed);
    return kind && isMarked ? { ...kind, text } : { style: 'gray', symbol: '…', text };
  });
}

type Decided = Pick<JudgedRequirement, 'outcome'>;

/** Whether a requirement is judged. One that is not verified may still be. */
const isDecided = ({ outcome }: Decided): boolean => outcome !== 'not-verified';
const hasFailed = ({ outcome }: Decided): boolean => outcome === 'failed';

/** Returns a text such as `exploring: 12 of 60 s, 140 users, 900 requests; round 3`. */
function explorationText({ usedMs, budgetMs, users, requests, activity }: Progress): string {
  const seconds = (ms: number) => Math.round(ms / 1000);
  const used = seconds(Math.min(usedMs, budgetMs));
  return `exploring: ${used} of ${seconds(budgetMs)} s, ${counted(users, 'user')}, ${counted(requests, 'request')}; ${activity}`;
}
