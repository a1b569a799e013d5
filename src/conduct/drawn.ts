import { type CaseEvidence, type Evidence, Missing } from '../plan/evidence.ts';
import { carryOut, inTurn, inTurnAndBack, round, selectSteps, unlessOver } from '../plan/plan.ts';
import type { Run } from '../plan/run.ts';
import type { AnyStep } from '../plan/step.ts';
import { stillThere } from '../plan/steps/aftermath.ts';
import { isFailed, type Judged, judge } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import type { Fill, InTurn, Topic } from './topic.ts';

/** Whether a requirement judges the cases of a topic. */
export const judges = ({ evidence }: Requirement, { fills }: Topic): boolean =>
  Object.values(evidence).some((part) => fills.some((fill) => fill.part === part));

/** What of one topic is tried, and the requirements that judge it. */
export type Drawn = ReturnType<typeof drawnOf>[number];

/** A case that was drawn. What came of it is kept by the case itself: one of the same parameters is another. */
type DrawnCase = Drawn['cases'][number];

/** Makes cases of their parameters, with the requirements that judge them: nothing where there are none. */
export function drawnOf(topic: Topic, all: readonly unknown[], requirements: Requirement[]) {
  const judging = requirements.filter((one) => judges(one, topic));
  const cases = all.map((params) => ({ params, one: topic.toCase(params) }));
  return judging.length === 0 || cases.length === 0 ? [] : [{ topic, cases, requirements: judging }];
}

/** The parts of a requirement's evidence in which cases of a topic stand, by their names, with these cases. */
function partsWith({ topic, cases }: Pick<Drawn, 'topic' | 'cases'>, { evidence }: Requirement) {
  return Object.entries(evidence).flatMap(([name, part]) => {
    const fill = topic.fills.find((one) => one.part === part);
    return fill ? [[name, filled(fill, cases)] as const] : [];
  });
}

const filled = ({ part, casesOf }: Fill<never>, cases: Pick<DrawnCase, 'one'>[]): CaseEvidence<unknown> =>
  part.with(...(cases.flatMap(({ one }) => casesOf(one as never)) as never[]));

/** Judges a requirement by drawn cases in the place of those that it declares. */
function judgeBy(run: Run, drawn: Pick<Drawn, 'topic' | 'cases'>, requirement: Requirement): Judged {
  const evidence = { ...requirement.evidence, ...Object.fromEntries(partsWith(drawn, requirement)) };
  return { ...judge({ ...requirement, evidence }, run, run.client.secrets.redact), requirement };
}

/** Of the cases those that tell a requirement something: what came of them is there. */
function toldBy(run: Run, { topic, cases }: Drawn, requirement: Requirement): DrawnCase[] {
  const foundOf = (one: DrawnCase) =>
    partsWith({ topic, cases: [one] }, requirement).flatMap(([, part]) => part.from(run));
  return cases.filter((one) => foundOf(one).some((found) => !(found instanceof Missing)));
}

/**
 * Sends drawn cases, and judges the requirements by them. Returns what each says, by which of the cases; and all that
 * was carried out for them.
 */
export async function sendDrawn(run: Run, all: Drawn[], isOver = () => run.stopped !== undefined) {
  const judging = all.flatMap((drawn) => drawn.requirements.map((requirement) => ({ drawn, requirement })));
  const parts = judging.flatMap(({ drawn, requirement }) => partsWith(drawn, requirement).map(([, part]) => part));
  const carriedOut = freshOf(run, parts);
  for (const { topic, cases } of all)
    for (const { one } of topic.inTurn ? cases : []) await carryOutInTurn(run, one as InTurn, isOver);
  await carryOutParts(run, parts, isOver, round);
  const found = judging.map(({ drawn, requirement }) => {
    return { drawn, told: toldBy(run, drawn, requirement), judged: judgeBy(run, drawn, requirement) };
  });
  return { found, carriedOut };
}

/**
 * Carries out the cases of a sequence, with nothing else in flight; what became of users who were created is looked at
 * later.
 */
async function carryOutInTurn(run: Run, { cases, isOnOne }: InTurn, isOver: () => boolean): Promise<void> {
  // Users who follow each other with nothing between are retrieved at once: no list has shown them before.
  const lines = new Set(cases.map(({ topic }) => topic)).size === 1 ? inTurnAndBack : inTurn;
  const all = async () => {
    for (const { topic, one } of cases) {
      const parts = topic.fills.map((fill) => filled(fill, [{ one }]));
      await carryOutParts(run, parts, isOver, lines);
    }
  };
  await unlessOver(run, 'cases one after the other', () => (isOnOne ? run.client.allOnOneConnection(all) : all()));
}

async function carryOutParts(run: Run, parts: Evidence<unknown>[], isOver: () => boolean, lines: AnyStep[][]) {
  const selected = freshOf(run, parts).set(stillThere, new Set([undefined]));
  for (const line of lines) if (!isOver()) await carryOut(run, selected, [line]);
}

/** What parts of the evidence need that was not carried out before. */
function freshOf(run: Run, parts: Evidence<unknown>[]): Map<AnyStep, Set<unknown>> {
  const fresh = [...selectSteps(parts, [])].map(
    ([step, all]) => [step, new Set([...all].filter((one) => !run.isTaken(step, one)))] as const,
  );
  return new Map(fresh);
}

/** How a failure of a thorough run can be seen again: plain data, which stands in the report. */
export interface Reproduction {
  /** How often it was seen when it was tried again, and how often it was tried. */
  seen: number;
  tried: number;
  /**
   * The topic of the cases that show it, and their parameters: of one case alone, or of all that must be sent at once.
   */
  topic: string;
  cases: unknown[];
}

/** Cases that stand in a report at most. */
const MOST_CASES = 300;
/** How often a failure is tried again. */
const TRIES = 3;
/** How many smaller cases are tried in the place of the one that failed. */
const SMALLER = 16;

/**
 * Makes a failure of drawn cases small: looks for one that fails alone, then for a smaller one in its place. What never
 * shows alone is tried again with all cases that were drawn with it: a race, or a matter of what came before. Undefined
 * where it is a matter of the whole run. `isOver` says when there is no time left.
 */
export async function makeSmall(run: Run, { topic, cases }: Drawn, requirement: Requirement, isOver: () => boolean) {
  /** Tries these so many times. */
  const again = async (params: unknown[], times = TRIES) => {
    const seen: Judged[] = [];
    let tried = 0;
    for (; tried < times && !isOver(); tried += 1) {
      const { found } = await sendDrawn(run, drawnOf(topic, params, [requirement]), isOver);
      seen.push(...found.map(({ judged }) => judged).filter(isFailed));
    }
    const reproduction: Reproduction = {
      seen: seen.length,
      tried,
      topic: topic.what,
      cases: params.slice(0, MOST_CASES),
    };
    return { judged: seen[0], reproduction };
  };
  const failsBy = (cases: DrawnCase[]) => isFailed(judgeBy(run, { topic, cases }, requirement));
  // What fails without any case is a matter of the whole run.
  if (failsBy([])) return undefined;
  const culprit = cases.find((one) => failsBy([one]));
  const alone = culprit && (await again([culprit.params]));
  if (culprit === undefined || alone?.judged === undefined) return again(cases.map(({ params }) => params));
  const smallerThan = (params: unknown) => (topic.params.smaller?.(params) ?? [])[Symbol.iterator]();
  let smallest = alone;
  let open = smallerThan(culprit.params);
  const { seen, tried } = alone.reproduction;
  for (let left = seen === tried ? SMALLER : 0; left > 0 && !isOver(); left -= 1) {
    const { value: smaller, done } = open.next();
    if (done) break;
    const found = await again([smaller], 1);
    if (found.judged) [smallest, open] = [found, smallerThan(smaller)];
  }
  const { judged, reproduction } = smallest;
  return { judged, reproduction: { ...reproduction, seen, tried } };
}
