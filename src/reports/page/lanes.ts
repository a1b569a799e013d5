import type { ShownExchange } from '../../http/exchange.ts';

type Span = Pick<ShownExchange, 'at' | 'duration'>;

/**
 * Puts spans of time into as few lanes as possible, so that none overlaps another in its lane. Takes them in the order of
 * their beginnings, and gives for each the number of its lane from 0. Pure.
 */
export function lanesOf(spans: readonly Span[]): number[] {
  const ends: number[] = [];
  return spans.map(({ at, duration }) => {
    const free = ends.findIndex((end) => end <= at);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = at + duration;
    return lane;
  });
}

/**
 * The exchanges that a page shows, in the order in which they were sent: where there are more than it has room for, those
 * that count (`telling`, by their ids), then the slowest, then every n-th of the rest. Pure.
 */
export function chosen(record: readonly ShownExchange[], most: number, telling: ReadonlySet<number>): ShownExchange[] {
  const inOrder = inTime(record);
  if (inOrder.length <= most) return inOrder;
  const counts = (one: ShownExchange) => (telling.has(one.id) || one.response === undefined ? 1 : 0);
  const first = [...inOrder].sort((a, b) => counts(b) - counts(a) || b.duration - a.duration).slice(0, most / 2);
  const taken = new Set(first);
  const rest = inOrder.filter((one) => !taken.has(one));
  const nth = rest.length / (most - first.length);
  for (let index = 0; taken.size < most; index += 1) taken.add(rest[Math.floor(index * nth)] as ShownExchange);
  return inOrder.filter((one) => taken.has(one));
}

/** Exchanges in the order in which they were sent. Pure. */
export function inTime(record: readonly ShownExchange[]): ShownExchange[] {
  return [...record].sort((a, b) => a.at - b.at || a.id - b.id);
}
