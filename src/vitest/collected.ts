import type { Exchange } from '../http/exchange.ts';
import type { Tally } from '../plan/session.ts';
import type { TracedExchange } from '../reports/har.ts';
import type { Result } from '../reports/report.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';

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

/**
 * Gathers what the tests told, in the order of the requirements. Where a run was spread over several processes, their
 * counts are added up and their exchanges numbered anew.
 */
export function collect(told: Told[]): Collected {
  const results = told
    .flatMap(({ requirement, outcome, leftOut }) =>
      requirement ? [{ requirement, leftOut, ...(outcome && { outcome }) }] : [],
    )
    .sort((a, b) => a.requirement.order - b.requirement.order);
  const parts = [...new Set(told.flatMap(({ tally }) => (tally ? [tally.tag] : [])))].sort();
  const traced: TracedExchange[] = [];
  const tallies = parts.map((tag) => {
    const ours = told.filter((one) => one.tally?.tag === tag);
    traced.push(...trace(ours, Math.max(0, ...traced.map(({ exchange }) => exchange.id))));
    return last(ours);
  });
  const tally = tallies.length > 1 ? sum(tallies) : tallies[0];
  return { results, ...(tally && { tally }), traced };
}

/** Each test tells what was counted so far: the highest count is the last. */
function last(told: Told[]): Tally {
  return told.map(({ tally }) => tally as Tally).reduce((most, one) => (one.requests > most.requests ? one : most));
}

function sum(tallies: Tally[]): Tally {
  const [first] = tallies as [Tally];
  const names = [...new Set(tallies.flatMap(({ observations }) => Object.keys(observations)))].sort();
  const values = (name: string) => [...new Set(tallies.flatMap(({ observations }) => observations[name] ?? []))].sort();
  return {
    ...first,
    tag: tallies.map(({ tag }) => tag).join(' '),
    start: Math.min(...tallies.map(({ start }) => start)),
    requests: tallies.reduce((total, { requests }) => total + requests, 0),
    usersCreated: tallies.reduce((total, { usersCreated }) => total + usersCreated, 0),
    observations: Object.fromEntries(names.map((name) => [name, values(name)])),
  };
}

/** The exchanges of one process, numbered from the one that follows `before`. */
function trace(told: Told[], before: number): TracedExchange[] {
  const found = new Map<number, TracedExchange>();
  const seen = new Set<Exchange>();
  for (const { outcome, tally } of told) {
    for (const exchange of outcome?.exchanges ?? []) {
      const one = found.get(exchange.id) ?? { exchange, requirements: [], start: tally?.start ?? 0 };
      found.set(exchange.id, one);
      one.requirements.push(outcome?.slug ?? '');
    }
    for (const exchange of [...(outcome?.exchanges ?? []), ...(outcome?.evidence ?? [])]) seen.add(exchange);
  }
  for (const exchange of seen) exchange.id += before;
  return [...found.values()];
}
