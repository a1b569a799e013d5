import type { Check } from '../plan/check.ts';

/** RFC 2119: a failed MUST closes the gate, a failed SHOULD warns. */
export type Level = 'MUST' | 'SHOULD';

/** Where a requirement comes from, as text for people and, for a published standard, its address. */
export interface Source {
  text: string;
  url?: string;
}

/**
 * When a check runs. `first`: before all others, which stand on it. `together`: at the same time as the others. `alone`:
 * one after the other, when nothing else is sent, because it counts. `end`: it judges the record of the whole run.
 */
export const phases = ['first', 'together', 'alone', 'end'] as const;
export type Phase = (typeof phases)[number];

export interface Requirement {
  /** The stable name: chapter, dot, what is required. */
  slug: string;
  level: Level;
  chapter: string;
  source: Source;
  /** What must or should hold, in one sentence for the person whose service fails it. */
  sentence: string;
  phase: Phase;
  /** Slugs of requirements without which this one can't be judged: one fault is not to be reported many times. */
  needs: string[];
  /** Returns when the requirement holds; throws one of the classes of outcome.ts when it does not or can't be judged. */
  check: (check: Check) => Promise<void>;
}

type Declaration = Pick<Requirement, 'source' | 'sentence' | 'check'> & { phase?: Phase; needs?: string[] };
type Declared = Omit<Requirement, 'chapter'>;

const declare =
  (level: Level) =>
  (slug: string, declaration: Declaration): Declared => ({ slug, level, phase: 'together', needs: [], ...declaration });

/** Declares what the interface document requires. */
export const must = declare('MUST');

/** Declares what a published standard recommends where the interface document is silent. */
export const should = declare('SHOULD');

/** Gathers the requirements of one chapter of the interface document. */
export function chapter(title: string, requirements: Declared[]): Requirement[] {
  return requirements.map((requirement) => ({ ...requirement, chapter: title }));
}

/** A section of the interface document. */
export function interfaceDocument(section: string): Source {
  return { text: `interface document, ${section}` };
}

/** A section of a published standard. */
export function rfc(number: number, section: string): Source {
  return {
    text: `RFC ${number}, section ${section}`,
    url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
  };
}
