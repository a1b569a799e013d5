import { createRequire } from 'node:module';
import { type CaseEvidence, cases, type OrMissing } from '../src/plan/evidence.ts';
import type { Step } from '../src/plan/step.ts';
import { each, type Finding } from '../src/requirement/finding.ts';
import type { DrawnPart, Level, Requirement, Source, Wants } from '../src/requirement/requirement.ts';

/** The interface in our own words, a numbered rule for each statement. docs/interface.md is made of them. */
export const rules: typeof import('./rules.json') = createRequire(import.meta.url)('./rules.json');

/** A rule of the interface, as the source of a requirement. */
export function rule(number: keyof typeof rules): Source {
  return { text: `interface, rule ${number}`, rule: rules[number] };
}

/** A section of a published standard. */
export function rfc(number: number, section: string): Source {
  return {
    text: `RFC ${number}, section ${section}`,
    url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
  };
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
export const chapter = (title: string, requirements: Declared[]): Requirement[] =>
  requirements.map((requirement) => ({ ...requirement, chapter: title }));

/**
 * Declares a part of the evidence that may be drawn: by the step that carries out its cases, or by what makes evidence
 * of them. The default run carries out the declared ones; where there are none, it sends nothing for this part.
 */
export function drawn<C, Y>(by: Step<Y, C> | ((...all: C[]) => CaseEvidence<Y>), ...declared: C[]): DrawnPart<C, Y> {
  const make = typeof by === 'function' ? by : (...all: C[]) => cases(by, ...all);
  const evidence = make(...declared);
  return { ...evidence, ...(declared.length === 0 && { cases: [] }), with: make };
}
