import { sample } from 'fast-check';
import { carryOut, selectSteps } from '../plan/carry-out.ts';
import type { Evidence } from '../plan/evidence.ts';
import { round } from '../plan/plan.ts';
import type { Run } from '../plan/run.ts';
import type { Requirement } from '../requirement/requirement.ts';
import type { Topic } from './topic.ts';

/**
 * Of what goes wrong in company, cases of each step in a line that are tried again alone: each may take some settle times, and
 * a few show the fault as well as all.
 */
const ALONE = 4;

/** A row of drawn cases, which goes on with others when it is used up. */
export class Row {
  readonly topic: Topic;
  #seed: number;
  #left: unknown[] = [];

  constructor(topic: Topic, seed: number) {
    this.topic = topic;
    this.#seed = seed;
  }

  take(count: number): unknown[] {
    const taken: unknown[] = [];
    while (taken.length < count) {
      if (this.#left.length === 0) this.#left = sample(this.topic.cases, { seed: this.#seed, numRuns: 1 }).flat();
      this.#seed += 1;
      if (this.#left.length === 0) return taken;
      taken.push(...this.#left.splice(0, count - taken.length));
    }
    // What came of a case is kept by the case: one that comes again is another.
    return taken.map((one) => ({ ...(one as object) }));
  }
}

/** What of one topic is tried, and the requirements that judge it, with the drawn cases in their evidence. */
export interface Drawn {
  topic: Topic;
  cases: unknown[];
  requirements: Requirement[];
}

/** Draws as many cases of each topic as a round takes, and as there is room for users. */
export function draw(rows: Row[], room: number, readOnly: boolean, requirements: Requirement[]): Drawn[] {
  let left = room;
  return rows.flatMap((row) => {
    const { topic } = row;
    const { users, perRound, reads } = topic;
    const count = users > 0 ? Math.min(perRound, Math.floor(left / users)) : perRound;
    if ((readOnly && !reads) || count <= 0 || !requirements.some(({ slug }) => slug in topic.judgedBy)) return [];
    left -= count * users;
    return drawnOf(topic, row.take(count), requirements);
  });
}

export function drawnOf(topic: Topic, cases: unknown[], requirements: Requirement[]): Drawn[] {
  const judging = requirements
    .filter(({ slug }) => slug in topic.judgedBy)
    .map((one) => ({ ...one, evidence: { ...one.evidence, ...topic.judgedBy[one.slug]?.(cases as never[]) } }));
  return judging.length === 0 || cases.length === 0 ? [] : [{ topic, cases, requirements: judging }];
}

/** The parts of the evidence in which the drawn cases stand. */
export function partsOf({ topic, cases, requirements }: Drawn): Evidence<unknown>[] {
  return requirements.flatMap(({ slug }) => Object.values(topic.judgedBy[slug]?.(cases as never[]) ?? {}));
}

export async function carryOutDrawn(run: Run, drawn: Drawn[], isOver: () => boolean): Promise<void> {
  const { steps, cases } = selectSteps(drawn.flatMap(partsOf), []);
  // What a case depends on may have been carried out before.
  const fresh = [...cases].map(
    ([step, all]) => [step, new Set([...all].filter((one) => !run.isTaken(step, one)))] as const,
  );
  for (const line of round)
    if (!isOver()) await carryOut(run, { steps, cases: new Map(fresh) }, () => {}, { lines: [line], mostAlone: ALONE });
}
