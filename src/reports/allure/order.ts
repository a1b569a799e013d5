import type { Judged } from './result.ts';

/**
 * Puts the beginnings of checks, which ran at the same time, into the order of the requirements: Allure sorts by nothing
 * else. The first begins with the run, at `start`.
 */
export function inChapterOrder(judged: Judged[], start: number): void {
  judged.sort((a, b) => b.requirement.order - a.requirement.order);
  let next = Number.POSITIVE_INFINITY;
  for (const one of judged) {
    one.start = Math.min(one.start, next - 1);
    next = one.start;
  }
  const first = judged.at(-1);
  if (first) first.start = Math.min(first.start, start);
}

/**
 * Shares the exchanges out, each to the requirement that looked at the fewest: most requirements look at the same ones,
 * and a file for each of them takes longer to write than the requests took to send.
 */
export function shareExchanges(judged: Judged[]): void {
  const taken = new Set<number>();
  for (const { outcome, own } of [...judged].sort((a, b) => a.outcome.exchanges.length - b.outcome.exchanges.length)) {
    for (const { id } of outcome.exchanges) if (!taken.has(id)) own.add(id);
    for (const id of own) taken.add(id);
  }
}
