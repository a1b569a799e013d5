import type { OutcomeName } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import { effectOf, type Verdict } from '../verdict/verdict.ts';

/** What a reader takes an outcome for: a failed SHOULD that does not fail the run is a warning. */
export type Kind = OutcomeName | 'warning';

/** The most telling first. */
const LOOKS = {
  failed: { symbol: '✗', style: 'red' },
  warning: { symbol: '!', style: 'yellow' },
  'not-verified': { symbol: '?', style: 'cyan' },
  'known-failure': { symbol: '~', style: 'yellow' },
  passed: { symbol: '✓', style: 'green' },
  'not-applicable': { symbol: '–', style: 'gray' },
} as const;

/** How a verdict looks: nothing hangs on colours. */
export const VERDICTS = {
  conformant: { symbol: '✓', style: 'green' },
  'non-conformant': { symbol: '✗', style: 'red' },
  inconclusive: { symbol: '?', style: 'cyan' },
} as const satisfies Record<Verdict, object>;

/** How an outcome looks, on every screen and page. */
export function look({ outcome, level }: { outcome: OutcomeName; level: Level }, strict: boolean) {
  const kind = effectOf({ level, outcome }, strict) === 'warns' ? 'warning' : outcome;
  return { kind, words: inWords(kind), ...LOOKS[kind] };
}

/** `not verified`. */
export const inWords = (kind: Kind) => kind.replace('-', ' ');

/** How many requirements look how, the most telling first; `text` is such as `2 warnings`. */
export function tally(rows: readonly { outcome: OutcomeName; level: Level }[], strict: boolean) {
  const looks = rows.map((one) => look(one, strict));
  return (Object.keys(LOOKS) as Kind[]).flatMap((kind) => {
    const [first, ...more] = looks.filter((one) => one.kind === kind);
    if (first === undefined) return [];
    const isPlural = more.length > 0 && (kind === 'warning' || kind === 'known-failure');
    return [{ ...first, count: more.length + 1, text: `${more.length + 1} ${first.words}${isPlural ? 's' : ''}` }];
  });
}
