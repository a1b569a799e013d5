import { readHistory, type WrittenHistory } from '../history/file.ts';
import type { History } from '../history/history.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Redact } from '../http/secrets.ts';
import { judge } from '../requirement/judge.ts';
import { type Judged, leaveOpen, type Outcome, withRoots } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';

/** The second judgement of a finished run. */
export interface SecondJudgement {
  outcomes: Outcome[];
  record: Exchange[];
  /** A sentence for each check that crashed, because the history has another form than it reads. */
  faults: string[];
}

export interface JudgeRunOptions {
  all: readonly Requirement[];
  redact: Redact;
  /** A clause that says that another process listened at the address at the end of the run. */
  stranger?: string | undefined;
}

/**
 * Judges the history of a finished run.
 *
 * All requirements stay open if another process listened at the address at the end. Failures stay
 * open if the target was unreachable or rejected the key, because the service did not cause them.
 */
export function judgeRun(
  history: History,
  wanted: readonly Requirement[],
  { all, redact, stranger }: JudgeRunOptions,
): Judged[] {
  const judged = judge(wanted, history, { all, redact });
  if (stranger) return leaveOpen(judged, `at the end of the run ${stranger}`, redact);
  const { stopped } = history;
  if (stopped?.by !== 'obstacle') return judged;
  return judged.flatMap((judgement) => {
    if (!hasFailedOrIsOpen(judgement)) return judgement;
    return leaveOpen([judgement], stopped.reason, redact);
  });
}

const hasFailedOrIsOpen = ({ outcome }: Judged): boolean =>
  outcome.outcome === 'failed' || outcome.outcome === 'not-verified';

/**
 * Judges a run again by its history alone. `stranger` says that another process listened at the
 * address. Throws a TypeError if the history has another form.
 */
export function judgeAgain(
  written: WrittenHistory,
  wanted: readonly Requirement[],
  all: readonly Requirement[],
  stranger?: string,
): SecondJudgement {
  const history = readHistory(written);
  // The history in a file is already redacted.
  const redact = (text: string, limit = text.length) => text.slice(0, limit);
  const judged = judgeRun(history, wanted, { all, redact, stranger });
  return {
    outcomes: withRoots(judged) as Outcome[],
    record: history.exchanges,
    faults: judged.flatMap(({ fault }) => fault ?? []),
  };
}
