import { createRequire } from 'node:module';
import type { Requirement, Source } from '../src/requirement/requirement.ts';

/**
 * The interface in our own words, as numbered rules. `npm run docs` puts them into
 * docs/requirements.md.
 */
export const rules: typeof import('./rules.json') = createRequire(import.meta.url)('./rules.json');

/** Returns a rule of the interface as the source of a requirement. */
export function rule(number: keyof typeof rules): Source {
  return { text: `interface, rule ${number}`, rule: rules[number] };
}

/** Returns a section of an RFC as the source of a requirement. */
export function rfc(number: number, section: string): Source {
  return {
    text: `RFC ${number}, section ${section}`,
    url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
  };
}

/** The parts of a requirement besides its name, level and source. */
type Declaration = Omit<Requirement, 'slug' | 'level' | 'chapter' | 'source'>;

type RequirementWithoutChapter = Omit<Requirement, 'chapter'>;

/** Declares a requirement of the interface. */
export function must(
  slug: string,
  source: Source,
  declaration: Declaration,
): RequirementWithoutChapter {
  return { slug, level: 'MUST', source, ...declaration };
}

/** Declares a recommendation of a published standard where the interface is silent. */
export function should(
  slug: string,
  source: Source,
  declaration: Declaration,
): RequirementWithoutChapter {
  return { slug, level: 'SHOULD', source, ...declaration };
}

/** Returns the requirements of one chapter. */
export const chapter = (title: string, requirements: RequirementWithoutChapter[]): Requirement[] =>
  requirements.map((requirement) => ({ ...requirement, chapter: title }));
