import { createRequire } from 'node:module';
import type {
  CaseRequirement,
  HistoryRequirement,
  Level,
  Requirement,
  Source,
} from '../src/requirement/requirement.ts';

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

type Identity = 'slug' | 'level' | 'chapter' | 'source';

/** The parts of a requirement besides its name, level and source. */
type Declaration = Omit<CaseRequirement, Identity> | Omit<HistoryRequirement, Identity>;

/** A requirement without its chapter. */
type Declared = Declaration & { slug: string; level: Level; source: Source };

const declare =
  (level: Level) =>
  (slug: string, source: Source, declaration: Declaration): Declared => ({
    slug,
    level,
    source,
    ...declaration,
  });

/** Declares what the interface requires. */
export const must = declare('MUST');

/** Declares what a published standard recommends where the interface is silent. */
export const should = declare('SHOULD');

/** Gathers the requirements of one chapter. */
export const chapter = (title: string, requirements: Declared[]): Requirement[] =>
  requirements.map((requirement) => ({ ...requirement, chapter: title }));
