import type { OutcomeName } from '../requirement/outcome.ts';
import { counted, effectOf, type JudgedRequirement } from '../verdict/verdict.ts';
import type { Report } from './report.ts';
import { isLimited } from './selection.ts';

/** A color of the terminal, which is also a class of the page. */
export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'gray';

/** The kind of an outcome, as people see it. */
export type Kind = OutcomeName | 'warning';

/** The symbol and the color of a kind. The symbol tells the same without the color. */
interface Appearance {
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

/** The symbols of all kinds, with their words. */
export const LEGEND = KINDS.map((kind) => `${APPEARANCES[kind].symbol} ${kindText(kind)}`).join(
  ', ',
);

/** The kinds with the appearance of the verdicts. */
const VERDICTS = {
  conformant: 'passed',
  'non-conformant': 'failed',
  inconclusive: 'not-verified',
} as const;

/** Returns a verdict as a symbol and words. */
export const verdictText = ({ verdict, title }: Pick<Report, 'verdict' | 'title'>): string =>
  `${APPEARANCES[VERDICTS[verdict]].symbol} ${title}`;

/** Returns the color of a verdict: a run on a part of the interface is never green. */
export const verdictStyle = ({ verdict, scope }: Pick<Report, 'verdict' | 'scope'>): Style =>
  verdict === 'conformant' && isLimited(scope) ? 'gray' : APPEARANCES[VERDICTS[verdict]].style;

/** The properties of a requirement that determine its kind. */
type KindSource = Pick<JudgedRequirement, 'level' | 'outcome'>;

/** The appearance of a requirement, with its kind as an identifier and in words. */
export interface RequirementAppearance extends Appearance {
  kind: Kind;
  words: string;
}

/** Returns the appearance of a requirement: a failed SHOULD that does not fail the run is a warning. */
export function appearanceOf(requirement: KindSource, strict: boolean): RequirementAppearance {
  const kind = effectOf(requirement, strict) === 'warns' ? 'warning' : requirement.outcome;
  return { kind, words: kindText(kind), ...APPEARANCES[kind] };
}

/** Returns `not verified` for `not-verified`. */
export function kindText(kind: Kind): string {
  return kind.replace('-', ' ');
}

/** The number of requirements of a kind; the text is `2 warnings` or `2 passed`. */
export interface KindCount extends RequirementAppearance {
  count: number;
  text: string;
}

/** Counts requirements by kind, the most important kind first. Kinds without any are omitted. */
export function countKinds(rows: readonly KindSource[], strict: boolean): KindCount[] {
  const all = rows.map((row) => appearanceOf(row, strict));
  return KINDS.flatMap((kind) => {
    const [first, ...others] = all.filter((appearance) => appearance.kind === kind);
    if (first === undefined) return [];
    const count = others.length + 1;
    const isNoun = kind === 'warning' || kind === 'known-failure';
    const text = isNoun ? counted(count, first.words) : `${count} ${first.words}`;
    return [{ ...first, count, text }];
  });
}

/** Returns `1 failed, 24 passed`; empty if there are no requirements. */
export const countsText = (rows: readonly KindSource[], strict: boolean): string =>
  countKinds(rows, strict)
    .map(({ text }) => text)
    .join(', ');
