import type { ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE } from '../http/key.ts';
import { cutMiddle } from '../http/value.ts';
import type { OutcomeName } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import { seenText } from './how-often.ts';
import { type Paint, wrap } from './paint.ts';
import { type Report, type ReportedRequirement, seenIn } from './report.ts';
import { bodyText, inertLine, repeat } from './text.ts';

/** What text is printed on: its colors, and the columns of a line. */
export interface Screen {
  paint: Paint;
  width: number;
}

const LOOKS = {
  passed: { symbol: '✓', style: 'green' },
  failed: { symbol: '✗', style: 'red' },
  'not-applicable': { symbol: '–', style: 'gray' },
  'not-verified': { symbol: '?', style: 'cyan' },
  'known-failure': { symbol: '~', style: 'yellow' },
} as const satisfies Record<OutcomeName, object>;

/** How an outcome looks: a failed SHOULD is a warning, unless the run is strict. */
export function look({ outcome, level }: { outcome: OutcomeName; level: Level }, strict: boolean) {
  const warning = outcome === 'failed' && level === 'SHOULD' && !strict;
  return warning ? { symbol: '!', style: 'yellow' as const } : LOOKS[outcome];
}

/** Characters of a value, and of a body, in the terminal; the reports hold more. */
const [VALUE, BODY] = [400, 200];

/** One failure: what was expected, what came, and what shows it. */
export function finding(
  one: ReportedRequirement,
  report: Pick<Report, 'target' | 'scope' | 'runs'>,
  { paint, width }: Screen,
): string {
  const { target, scope } = report;
  const seen = seenIn(one, report);
  const { style, symbol } = look(one, scope.strict);
  const row = (name: string, value: string) =>
    `    ${paint('gray', name.padEnd(9))} ${wrap(cutMiddle(inertLine(value), VALUE), width, 14)}`;
  const line = repeat(one.exchanges, new URL(target.baseUrl).origin);
  return [
    `  ${paint(style, `${symbol} ${one.level} ${one.id}`)}`,
    `    ${paint('bold', wrap(one.sentence, width, 4))}`,
    row('expected', one.expected ?? ''),
    row('got', one.got ?? one.reason),
    ...(seen === undefined ? [] : [row('seen in', seen)]),
    ...(seenText(one) ? [row('seen', seenText(one))] : []),
    ...one.exchanges.map(({ request, response, failure }) => {
      const answer = response ? `${response.status} ${bodyText(response, BODY)}` : (failure ?? 'no answer');
      return [row('sent', sentText(request)), row('answer', answer)].join('\n');
    }),
    // Not wrapped: it is there to be copied.
    ...(line ? [`    ${paint('gray', 'repeat'.padEnd(9))} ${inertLine(line)}`] : []),
    row('source', one.source.text),
  ].join('\n');
}

const USUAL = ['accept', 'content-type', 'user-agent'];

/** A request in one line, with the headers that tell one case from another. */
function sentText({ method, path, headers, body }: ShownExchange['request']): string {
  const telling = Object.entries(headers).filter(([name, value]) => !USUAL.includes(name) && value !== HEADER_VALUE);
  const parts = [`${method} ${path}`, ...telling.map(([name, value]) => `${name}: ${value}`), body ?? ''];
  return parts.filter((part) => part !== '').join('  ');
}
