import type { ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE } from '../http/key.ts';
import { cutMiddle } from '../http/value.ts';
import { findingRows, type Listing } from './finding-rows.ts';
import { look } from './look.ts';
import { type Paint, wrap } from './paint.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { bodyText, inertLine, repeat } from './text.ts';

/** What text is printed on: its colors, and the columns of a line. */
export interface Screen {
  paint: Paint;
  width: number;
}

/** Characters of a value, and of a body, in the terminal; the reports hold more. */
const [VALUE, BODY] = [400, 200];

/** One failure: what was expected, what came, and what shows it. */
export function finding(
  one: ReportedRequirement,
  report: Pick<Report, 'target' | 'scope'> & Listing,
  { paint, width }: Screen,
): string {
  const { target, scope } = report;
  const { style, symbol } = look(one, scope.strict);
  const row = (name: string, value: string) =>
    `    ${paint('gray', name.padEnd(9))} ${wrap(cutMiddle(inertLine(value), VALUE), width, 14)}`;
  const line = repeat(one.exchanges, new URL(target.baseUrl).origin);
  return [
    `  ${paint(style, `${symbol} ${one.level} ${one.id}`)}`,
    `    ${paint('bold', wrap(one.sentence, width, 4))}`,
    ...findingRows(one, report).map(([name, value]) => row(name, value)),
    ...one.exchanges.map(({ request, response, failure }) => {
      const came = response ? `${response.status} ${bodyText(response, BODY)}` : (failure ?? 'no response');
      return [row('request', sentText(request)), row('response', came)].join('\n');
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
