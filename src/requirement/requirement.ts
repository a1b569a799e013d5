import { type CaseEvidence, cases, type Evidence, type OrMissing } from '../plan/evidence.ts';
import type { Step } from '../plan/step.ts';
import { each, type Finding } from './finding.ts';

/** RFC 2119: a failed MUST fails the run, a failed SHOULD warns. */
export type Level = 'MUST' | 'SHOULD';

/** Where a requirement comes from: a rule of the interface, or a section of a published standard. */
export interface Source {
  text: string;
  url?: string;
  /** What the rule says, where it is one of the interface. */
  rule?: string;
}

/** The parts of the evidence that a check takes, by the names under which it gets them. */
export type Wants = Record<string, Evidence<unknown>>;

export type Given<W extends Wants> = { [Name in keyof W]: W[Name] extends Evidence<infer T> ? T : never };

/** What a requirement is, for reports. */
export interface RequirementInfo {
  /** The stable name: chapter, dot, what is required. */
  slug: string;
  level: Level;
  chapter: string;
  source: Source;
  /** What must or should hold, in one sentence for a user whose service fails it. */
  sentence: string;
}

export interface Requirement<W extends Wants = Wants> extends RequirementInfo {
  evidence: W;
  /** Judges the evidence, and nothing else: it sends nothing, waits for nothing and says the same when asked twice. */
  check(given: Given<W>): Finding | Finding[];
}

type Declaration<W extends Wants> = Omit<Requirement<W>, 'slug' | 'level' | 'chapter' | 'source'>;

type Declared = Omit<Requirement, 'chapter'>;

const at =
  (level: Level) =>
  <W extends Wants>(slug: string, source: Source, declaration: Declaration<W>): Declared => {
    return { slug, level, source, ...declaration };
  };

/** Declares what the interface requires. */
export const must = at('MUST');

/** Declares what a published standard recommends where the interface is silent. */
export const should = at('SHOULD');

/** Declares evidence of cases, and that the same must hold of each of them. */
export const ofEach = <T>(evidence: Record<string, CaseEvidence<T>>, judgeOne: (one: T) => Finding | Finding[]) => ({
  evidence,
  check: (given: Record<string, OrMissing<T>[]>) => each(Object.values(given).flat(), judgeOne),
});

/** Gathers the requirements of one chapter. */
export function chapter(title: string, requirements: Declared[]): Requirement[] {
  return requirements.map((requirement) => ({ ...requirement, chapter: title }));
}

/** A section of a published standard. */
export function rfc(number: number, section: string): Source {
  return {
    text: `RFC ${number}, section ${section}`,
    url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
  };
}

/** A part of the evidence that a thorough run may fill with cases of its own, in the place of the declared ones. */
export interface DrawnPart<C, Y = unknown> extends CaseEvidence<Y> {
  /** The same part with other cases. */
  readonly with: (...all: C[]) => CaseEvidence<Y>;
}

/**
 * Declares a part of the evidence that may be drawn: by the step that carries out its cases, or by what makes evidence
 * of them. The default run carries out the declared ones; where there are none, it sends nothing for this part.
 */
export function drawn<C, Y>(by: Step<Y, C> | ((...all: C[]) => CaseEvidence<Y>), ...declared: C[]): DrawnPart<C, Y> {
  const make = typeof by === 'function' ? by : (...all: C[]) => cases(by, ...all);
  const evidence = make(...declared);
  return { ...evidence, ...(declared.length === 0 && { cases: [] }), with: make };
}
