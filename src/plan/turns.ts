/** A case of which each run takes another variation: what fits into one run only by luck is seen in several. */
export interface Turning<C> {
  turns?: readonly Partial<C>[];
  /** Its place among cases with the same variations, of which a run takes different ones. */
  turn?: number;
}

/** Cases that take turns in some variations: in one run each takes another one. */
export function inTurns<C extends { what: string }>(
  cases: readonly C[],
  turns: readonly (Partial<C> & { what: string })[],
): (C & Turning<C>)[] {
  return cases.map((one, turn) => ({ ...one, turns, turn }));
}

/** So many of several cases, from a place among them on: in each run other ones. */
export function someOf<C extends { what: string }>(all: readonly C[], count = 1, from = 0): (C & Turning<C>)[] {
  const first = Array.from({ length: count }, (_, at) => all[(from + at) % all.length] as C);
  return first.map((one, at) => ({ ...one, turns: all, turn: from + at }));
}

/** The variation that a run takes, by a text that stands for its choices; the case itself where it has none. */
export function taken<C>(one: C, choices: string): C {
  const { turns, turn = 0, ...rest } = (one ?? {}) as Turning<C> & object;
  if (turns === undefined) return one;
  return { ...rest, ...turns[(hash(`${choices} ${turns.length}`) + turn) % turns.length] } as C;
}

/** A number below 65,521 that is the same for the same text. */
export const hash = (text: string) => [...text].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 65_521, 0);
