import type { Outcome } from '../outcome.ts';
import type { Result } from '../report.ts';
import type { Requirement } from '../requirement.ts';
import type { Tally } from '../session.ts';
import type { TracedExchange } from './har.ts';

/** What the test of one requirement tells the reporter. */
export interface Told {
  requirement?: Omit<Requirement, 'check'> & { order: number };
  outcome?: Outcome;
  tally?: Tally;
  /** A filter left the test out. */
  leftOut: boolean;
}

/** What all tests of a run tell together. */
export interface Collected {
  results: Result[];
  /** Absent when no check was run. */
  tally?: Tally;
  /** Every exchange that a check looked at, once. */
  traced: TracedExchange[];
}

/** Gathers what the tests told, in the order of the requirements. Pure. */
export function collect(told: Told[]): Collected {
  const results = told
    .flatMap(({ requirement, outcome, leftOut }) =>
      requirement ? [{ requirement, leftOut, ...(outcome && { outcome }) }] : [],
    )
    .sort((a, b) => a.requirement.order - b.requirement.order);
  // Each test tells what was counted so far: the highest count is the last.
  const tally = told
    .flatMap(({ tally }) => (tally ? [tally] : []))
    .reduce<Tally | undefined>((last, one) => (last && last.requests > one.requests ? last : one), undefined);
  return { results, ...(tally && { tally }), traced: traced(told) };
}

function traced(told: Told[]): TracedExchange[] {
  const found = new Map<number, TracedExchange>();
  for (const { outcome, tally } of told) {
    for (const exchange of outcome?.exchanges ?? []) {
      const one = found.get(exchange.id) ?? { exchange, requirements: [], start: tally?.start ?? 0 };
      found.set(exchange.id, one);
      one.requirements.push(outcome?.slug ?? '');
    }
  }
  return [...found.values()];
}
