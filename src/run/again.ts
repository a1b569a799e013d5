import { readHistory, type WrittenHistory } from '../history/file.ts';
import type { History } from '../history/history.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Redact } from '../http/secrets.ts';
import { judge } from '../requirement/judge.ts';
import { type Judged, leaveOpen, type Outcome, withRoots } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';

/** A run that was judged again. */
export interface JudgedAgain {
  outcomes: Outcome[];
  record: Exchange[];
  /** A sentence for each check that crashed: the history is not of the kind that it takes. */
  faults: string[];
}

/**
 * Judges the history of a finished run. Requirements stay open if another process listened at the address at the end,
 * and those that fail stay open if the target is not there or refuses the key: that is no fault of the service.
 */
export function judgeRun(
  history: History,
  wanted: readonly Requirement[],
  {
    all,
    redact,
    stranger,
  }: { all: readonly Requirement[]; redact: Redact; stranger?: string | undefined },
): Judged[] {
  const judged = judge(wanted, history, { all, redact });
  const { stopped } = history;
  if (stranger) return leaveOpen(judged, `at the end of the run ${stranger}`, redact);
  if (stopped?.by !== 'obstacle') return judged;
  const isOpen = ({ outcome }: Judged) =>
    outcome.outcome === 'failed' || outcome.outcome === 'not-verified';
  return judged.flatMap((one) => (isOpen(one) ? leaveOpen([one], stopped.reason, redact) : one));
}

/**
 * Judges a run again by its history alone. `stranger` says that another process listened at the address. Throws a
 * TypeError if the history is of another kind.
 */
export function judgeAgain(
  written: WrittenHistory,
  wanted: readonly Requirement[],
  all: readonly Requirement[],
  stranger?: string,
): JudgedAgain {
  const history = readHistory(written);
  // Everything in the file is redacted.
  const redact = (text: string, limit = text.length) => text.slice(0, limit);
  const judged = judgeRun(history, wanted, { all, redact, stranger });
  return {
    outcomes: withRoots(judged) as Outcome[],
    record: history.exchanges,
    faults: judged.flatMap(({ fault }) => fault ?? []),
  };
}
