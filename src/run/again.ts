import { readHistory, type WrittenHistory } from '../history/file.ts';
import type { History } from '../history/history.ts';
import type { Exchange } from '../http/exchange.ts';
import { makeShowText, type ShowText } from '../http/secrets.ts';
import { judge } from '../requirement/judge.ts';
import { type Judged, leaveOpen, type Outcome, withRoots } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { withRecipes } from './recipe.ts';

/** The second judgement of a finished run. */
export interface SecondJudgement {
  outcomes: Outcome[];
  record: Exchange[];
  /** A sentence for each check that crashed, because the history has another form than it reads. */
  faults: string[];
}

export interface JudgeRunOptions {
  all: readonly Requirement[];
  showText: ShowText;
}

/**
 * Judges the history of a finished run. Failures stay open if the target was unreachable or rejected
 * the key, because the service did not cause them.
 */
export function judgeRun(
  history: History,
  wanted: readonly Requirement[],
  { all, showText }: JudgeRunOptions,
): Judged[] {
  const judged = judge(wanted, history, { all, showText });
  const { stopped } = history;
  if (stopped?.by !== 'obstacle') return judged;
  return judged.flatMap((judgement) => {
    if (!hasFailedOrIsOpen(judgement)) return judgement;
    return leaveOpen([judgement], stopped, showText);
  });
}

const hasFailedOrIsOpen = ({ outcome }: Judged): boolean =>
  outcome.outcome === 'failed' || outcome.outcome === 'not-verified';

/**
 * Judges a run again by its history alone. Throws a TypeError if the history has another form.
 */
export function judgeAgain(
  written: WrittenHistory,
  wanted: readonly Requirement[],
  all: readonly Requirement[],
): SecondJudgement {
  const history = readHistory(written);
  // The history in a file is already redacted.
  const showText = makeShowText((text) => text);
  const judged = judgeRun(history, wanted, { all, showText });
  const outcomes: Outcome<Exchange>[] = withRoots(withRecipes(judged, history), showText);
  return {
    outcomes: outcomes as Outcome[],
    record: history.exchanges,
    faults: judged.flatMap(({ fault }) => fault ?? []),
  };
}
