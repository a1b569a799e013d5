import type { ShownExchange } from '../../http/exchange.ts';

/** Time on an axis on which long pauses, in which no request was under way, are folded. Milliseconds. */
export interface Clock {
  /** The place of a time on the axis, from 0 to 1. */
  place: (at: number) => number;
  /** The folded pauses, the first first. */
  pauses: { from: number; to: number }[];
  /** The length of the axis, with each folded pause as long as it is shown. */
  length: number;
}

/** Pauses that are folded at most, and how much of the axis one of them takes then. */
const [PAUSES, SHARE] = [5, 0.03];

/** The clock of exchanges: a pause of half a second or more that takes more than a tenth of what remains is folded. Pure. */
export function clockOf(record: readonly Pick<ShownExchange, 'at' | 'duration'>[]): Clock {
  const spans = [...record].sort((a, b) => a.at - b.at);
  const all: Clock['pauses'] = [];
  let end = 0;
  for (const { at, duration } of spans) {
    if (at > end) all.push({ from: end, to: at });
    end = Math.max(end, at + duration);
  }
  const long = all.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, PAUSES);
  const rest = end - long.reduce((sum, { from, to }) => sum + to - from, 0);
  const pauses = long.filter(({ from, to }) => to - from >= Math.max(500, rest / 10)).sort((a, b) => a.from - b.from);
  const folded = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
  const width = Math.max(1, end - folded) * SHARE;
  const length = Math.max(1, end - folded + pauses.length * width);
  const shownUntil = (time: number) =>
    pauses.reduce((sum, { from, to }) => {
      const part = Math.min(1, Math.max(0, (time - from) / (to - from)));
      return sum - part * (to - from - width);
    }, time);
  return { place: (time) => shownUntil(time) / length, pauses, length };
}
