import { styleText } from 'node:util';
import { wrapAnsi } from 'fast-wrap-ansi';
import { effectOf, type JudgedRequirement } from '../verdict/verdict.ts';
import { inert } from './text.ts';

/** What of a requirement tells how it looks. */
type Judged = Pick<JudgedRequirement, 'level' | 'outcome'>;

/** The most telling first. */
const LOOKS = {
  failed: { symbol: '✗', style: 'red' },
  warning: { symbol: '!', style: 'yellow' },
  'not-verified': { symbol: '?', style: 'cyan' },
  'known-failure': { symbol: '~', style: 'yellow' },
  passed: { symbol: '✓', style: 'green' },
  'not-applicable': { symbol: '–', style: 'gray' },
} as const;

/** What a reader takes an outcome for: a failed SHOULD that does not fail the run is a warning. */
type Kind = keyof typeof LOOKS;

/** How a verdict looks: nothing hangs on colours. */
export const VERDICTS = {
  conformant: LOOKS.passed,
  'non-conformant': LOOKS.failed,
  inconclusive: LOOKS['not-verified'],
};

/** How an outcome looks, on every screen and page. */
export function look(one: Judged, strict: boolean) {
  const kind = effectOf(one, strict) === 'warns' ? 'warning' : one.outcome;
  return { kind, words: inWords(kind), ...LOOKS[kind] };
}

/** `not verified`. */
export const inWords = (kind: Kind) => kind.replace('-', ' ');

/** How many requirements look how, the most telling first; `text` is such as `2 warnings`. */
export function tally(rows: readonly Judged[], strict: boolean) {
  const looks = rows.map((one) => look(one, strict));
  return (Object.keys(LOOKS) as Kind[]).flatMap((kind) => {
    const [first, ...more] = looks.filter((one) => one.kind === kind);
    if (first === undefined) return [];
    const isPlural = more.length > 0 && (kind === 'warning' || kind === 'known-failure');
    return [{ ...first, count: more.length + 1, text: `${more.length + 1} ${first.words}${isPlural ? 's' : ''}` }];
  });
}

type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'gray' | 'bold';

/**
 * What text is printed on. Colors where the stream is a terminal that has them, and in the log of GitHub Actions:
 * FORCE_COLOR wins over NO_COLOR, as in Node; NO_COLOR wins over the rest. The columns of a line are those of the
 * terminal; without one, lines are not wrapped.
 */
export function screenOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env) {
  const { FORCE_COLOR, NO_COLOR, GITHUB_ACTIONS } = env;
  const hasColors = GITHUB_ACTIONS === 'true' || (stream.isTTY === true && stream.hasColors());
  const colored = FORCE_COLOR === undefined ? hasColors && !NO_COLOR : !['0', 'false'].includes(FORCE_COLOR);
  return {
    paint: (style: Style, text: string) => (colored ? styleText(style, text, { validateStream: false }) : text),
    width: stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY,
  };
}

export type Screen = ReturnType<typeof screenOf>;

/** Wraps a plain text at its spaces to a width, and a word that is longer anywhere; each further line is indented. */
export function wrap(text: string, width: number, indent: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  const lines = wrapAnsi(text, Math.max(20, width - indent), { hard: true });
  // What begins a line by now may begin a command of a CI.
  return inert(lines.replaceAll('\n', `\n${' '.repeat(indent)}`));
}
