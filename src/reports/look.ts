import { styleText } from 'node:util';
import { wrapAnsi } from 'fast-wrap-ansi';
import { counted, effectOf, type JudgedRequirement } from '../verdict/verdict.ts';
import { withStep } from './advice.ts';
import {
  findingsOf,
  grouped,
  openOf,
  type Report,
  type ReportedRequirement,
  selectedOf,
} from './report.ts';
import { inert, inertLine, secondsText } from './text.ts';

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

export const KINDS = Object.keys(LOOKS) as Kind[];

/** How a verdict looks: nothing hangs on colours. */
export const VERDICTS = {
  conformant: LOOKS.passed,
  'non-conformant': LOOKS.failed,
  inconclusive: LOOKS['not-verified'],
};

/** A verdict as a symbol and in words. */
export const verdictText = (report: Pick<Report, 'verdict' | 'title'>) =>
  `${VERDICTS[report.verdict].symbol} ${report.title}`;

/** How an outcome looks, on every screen and page. */
export function look(one: Judged, strict: boolean) {
  const kind = effectOf(one, strict) === 'warns' ? 'warning' : one.outcome;
  return { kind, words: inWords(kind), ...LOOKS[kind] };
}

/** `not verified`. */
export const inWords = (kind: Kind) => kind.replace('-', ' ');

/** How many requirements look how, the most telling first; `text` is such as `2 warnings`. */
export function tally(rows: readonly Judged[], strict: boolean) {
  const kinds = rows.map((one) => look(one, strict).kind);
  return KINDS.flatMap((kind) => {
    const count = kinds.filter((one) => one === kind).length;
    const words = inWords(kind);
    const text =
      kind === 'warning' || kind === 'known-failure' ? counted(count, words) : `${count} ${words}`;
    return count === 0 ? [] : [{ kind, words, ...LOOKS[kind], count, text }];
  });
}

/** What there is to say of a requirement that is not passed, a name and a value each. */
export function findingRows(
  one: ReportedRequirement,
  report: Pick<Partial<Report>, 'knownFailures'>,
) {
  const { id, reason, expected, got, seen } = one;
  const often = seen && seen.of > 1 && `${seen.times} of ${seen.of} times`;
  const rows = {
    'known failure': report.knownFailures?.listed.find(({ slug }) => slug === id)?.reason,
    ...(expected === undefined ? { why: reason } : { expected, got }),
    failed: often || undefined,
  };
  return Object.entries(rows).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

/** What could not be verified for another reason than a failure: each reason, with the slugs. */
export function notVerified(report: Report): [reason: string, slugs: string[]][] {
  const told = findingsOf(report).map(({ id }) => id);
  const open = openOf(report).filter(({ needs = '' }) => !told.includes(needs));
  return grouped(open, ({ reason }) => withStep(reason)).map(([reason, rows]) => [
    reason,
    rows.map(({ id }) => id),
  ]);
}

/** How much was judged and sent, a name and a value each. */
export function numbers(report: Report): [string, string][] {
  const { users, scope, requests, duration } = report;
  const tag = users.tag && ` (tag ${users.tag})`;
  const made = users.created
    ? `${counted(users.created, 'user')} created${tag}`
    : 'no users created';
  const sent = counted(requests, 'request');
  const counts = (['MUST', 'SHOULD'] as const).map((level): [string, string] => {
    const rows = selectedOf(report).filter((one) => one.level === level);
    const texts = tally(rows, scope.strict).map(({ text }) => text);
    return [level, texts.join(', ') || 'none'];
  });
  return [...counts, ['sent', `${sent}, ${made}, ${secondsText(duration)}`]];
}

/**
 * The depth of a thorough run, without which "conformant" says little: a label and a value each.
 * None for any other run.
 */
export function depthRows({
  coverage,
}: Pick<Report, 'coverage'>): [label: string, value: string][] {
  if (coverage === undefined) return [];
  const { seed, bounds, ended, rounds, users, widestPage, longestPauseMs, kinds } = coverage;
  const counts = Object.values(kinds);
  const cases = counts.reduce((total, count) => total + count, 0);
  return [
    ['seed', `${seed}`],
    [
      'limits',
      `${bounds.seconds} s, ${bounds.requests} requests, ${bounds.users} users; ${inertLine(ended)}`,
    ],
    ['users', `${users}, longest list ${widestPage}`],
    [
      'concurrency',
      `${coverage.mostAtOnce} requests, ${coverage.creationsAtOnce} creations in flight`,
    ],
    ['longest pause', secondsText(longestPauseMs)],
    ['cases', `${cases} of ${counted(counts.length, 'kind')} in ${counted(rounds, 'round')}`],
  ];
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
  const colored =
    FORCE_COLOR === undefined ? hasColors && !NO_COLOR : !['0', 'false'].includes(FORCE_COLOR);
  return {
    paint: (style: Style, text: string) =>
      colored ? styleText(style, text, { validateStream: false }) : text,
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
