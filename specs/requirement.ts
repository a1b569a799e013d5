import { type CaseEvidence, cases, type OrMissing } from '../src/plan/evidence.ts';
import type { Step } from '../src/plan/step.ts';
import { each, type Finding } from '../src/requirement/finding.ts';
import type { DrawnPart, Level, Requirement, Source, Wants } from '../src/requirement/requirement.ts';

/** The interface in our own words, a numbered rule for each statement. docs/interface.md is made of them. */
export const rules = {
  '1.1': 'The service is an HTTP interface with three operations: list all users, create a user, retrieve one user.',
  '1.2': 'Request and response bodies are JSON.',
  '2.1': 'The base address ends in the path segment `v1`; the paths of the operations follow it.',
  '3.1': 'Every request carries the key in the header `Authorization: Bearer <API_KEY>`.',
  '3.2': 'The key is a secret of the caller. It is never part of a path or of a body.',
  '4.1': 'A user has an `email` and a `name`, both strings, and both are needed to create one.',
  '4.2': 'A user has an identifier, which is used in the path that retrieves the user.',
  '5.1': 'The list contains all users.',
  '5.2': 'The response is an object with the members `data` and `total`.',
  '5.3': '`data` is an array of users; it is empty when there are none.',
  '5.4': '`total` is an integer: how many users there are.',
  '6.1': 'An object with `email` and `name` in the request body makes a user.',
  '7.1': 'The identifier in the path retrieves the user that it belongs to.',
};

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
export function chapter(title: string, requirements: Declared[]): Requirement[] {
  return requirements.map((requirement) => ({ ...requirement, chapter: title }));
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
