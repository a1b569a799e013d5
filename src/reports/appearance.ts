import type { OutcomeName } from '../requirement/outcome.ts';
import { counted, effectOf, type JudgedRequirement, type Verdict } from '../verdict/verdict.ts';
import type { Report } from './report.ts';

/** A color of the terminal, which is also a class of the page. */
export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'gray';

/** The kind of an outcome, as people see it. */
export type Kind = OutcomeName | 'warning';

/** The symbol and the color of a kind or a verdict. The symbol tells the same without the color. */
export interface Appearance {
  symbol: string;
  style: Style;
}

const APPEARANCES: Record<Kind, Appearance> = {
  failed: { symbol: '✗', style: 'red' },
  warning: { symbol: '!', style: 'yellow' },
  'not-verified': { symbol: '?', style: 'cyan' },
  'known-failure': { symbol: '~', style: 'yellow' },
  passed: { symbol: '✓', style: 'green' },
  'not-applicable': { symbol: '–', style: 'gray' },
};

/** All kinds, the most important first. */
export const KINDS = Object.keys(APPEARANCES) as Kind[];

/** The appearance of each verdict. */
export const VERDICTS: Record<Verdict, Appearance> = {
  conformant: APPEARANCES.passed,
  'non-conformant': APPEARANCES.failed,
  inconclusive: APPEARANCES['not-verified'],
};

/** Returns a verdict as a symbol and words. */
export const verdictText = ({ verdict, title }: Pick<Report, 'verdict' | 'title'>): string =>
  `${VERDICTS[verdict].symbol} ${title}`;

/** The properties of a requirement that determine its kind. */
type KindSource = Pick<JudgedRequirement, 'level' | 'outcome'>;

/** The appearance of a requirement, with its kind as an identifier and in words. */
export interface RequirementAppearance extends Appearance {
  kind: Kind;
  words: string;
}

/** Returns the appearance of a requirement, for the terminal, the page and the comparison. */
export function appearanceOf(requirement: KindSource, strict: boolean): RequirementAppearance {
  const kind = kindOf(requirement, strict);
  return { kind, words: kindText(kind), ...APPEARANCES[kind] };
}

/** Returns the kind of a requirement: a failed SHOULD that does not fail the run is a warning. */
const kindOf = (requirement: KindSource, strict: boolean): Kind =>
  effectOf(requirement, strict) === 'warns' ? 'warning' : requirement.outcome;

/** Returns `not verified` for `not-verified`. */
export const kindText = (kind: Kind): string => kind.replace('-', ' ');

/** The number of requirements of a kind; the text is `2 warnings` or `2 passed`. */
export interface KindCount extends RequirementAppearance {
  count: number;
  text: string;
}

/** Counts requirements by kind, the most important kind first. Kinds without any are omitted. */
export function countKinds(rows: readonly KindSource[], strict: boolean): KindCount[] {
  const kinds = rows.map((row) => kindOf(row, strict));
  return KINDS.filter((kind) => kinds.includes(kind)).map((kind) => {
    const count = kinds.filter((other) => other === kind).length;
    return {
      kind,
      words: kindText(kind),
      ...APPEARANCES[kind],
      count,
      text: countText(kind, count),
    };
  });
}

function countText(kind: Kind, count: number): string {
  const isNoun = kind === 'warning' || kind === 'known-failure';
  return isNoun ? counted(count, kindText(kind)) : `${count} ${kindText(kind)}`;
}

/** Returns `1 failed, 24 passed`; empty if there are no requirements. */
export const countsText = (rows: readonly KindSource[], strict: boolean): string =>
  countKinds(rows, strict)
    .map(({ text }) => text)
    .join(', ');
