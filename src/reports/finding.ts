import type { Reproduction } from '../conduct/small.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE } from '../http/key.ts';
import { cutMiddle } from '../http/value.ts';
import { counted } from '../verdict/verdict.ts';
import { look } from './look.ts';
import { type Screen, wrap } from './paint.ts';
import { openOf, type Report, type ReportedRequirement, waitingFor } from './report.ts';
import { bodyText, inertLine, repeat, some } from './text.ts';

/** What of a report a finding needs. */
export type Shown = Pick<Report, 'target' | 'scope' | 'requirements'> & Partial<Pick<Report, 'knownFailures' | 'runs'>>;

/** What there is to say of a requirement that is not passed, a name and a value each. */
export function findingRows(
  one: ReportedRequirement,
  report: Pick<Shown, 'knownFailures' | 'runs'>,
): [name: string, value: string][] {
  const { id, reason, expected, got } = one;
  const rows = {
    'known failure': report.knownFailures?.listed.find(({ slug }) => slug === id)?.reason,
    ...(expected === undefined ? { why: reason } : { expected, got }),
    'seen in': seenIn(one, report),
    failed: oftenText(one),
  };
  return Object.entries(rows).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** In how many runs of a merged report, and in which, a requirement had its outcome; undefined in the report of one run. */
function seenIn({ seenIn: places }: ReportedRequirement, { runs }: Pick<Shown, 'runs'>): string | undefined {
  if (places === undefined || runs === undefined) return undefined;
  if (places.length === runs.length) return `each of ${counted(runs.length, 'run')}`;
  const ours = places.flatMap((place) => runs[place] ?? []);
  const seeds = ours.flatMap(({ seed }) => seed ?? []);
  const names =
    seeds.length === ours.length
      ? `seed${seeds.length === 1 ? '' : 's'} ${some(seeds.map(String))}`
      : some(ours.map(({ from }) => from));
  return `${places.length} of ${counted(runs.length, 'run')}: ${names}`;
}

/** What could not be verified for another reason than a failure: each reason, with the slugs. */
export function notVerified(report: Report): [reason: string, slugs: string[]][] {
  const isTold = (id = '') =>
    report.requirements.some((one) => one.id === id && ['failed', 'known-failure'].includes(one.outcome));
  const open = openOf(report).filter(({ needs }) => !isTold(needs));
  const reasonOf = (one: ReportedRequirement) => [one.reason, seenIn(one, report)].filter(Boolean).join('; ');
  return [...new Set(open.map(reasonOf))].map((reason) => {
    return [reason, open.filter((one) => reasonOf(one) === reason).map(({ id }) => id)];
  });
}

/** How often a requirement failed, in words; undefined where it was checked but once. */
function oftenText({ seen, reproduction }: ReportedRequirement): string | undefined {
  const parts = [
    ...(seen && seen.of > 1 ? [`${seen.times} of ${seen.of} times`] : []),
    ...(reproduction ? [againText(reproduction)] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function againText({ seen, tried, cases }: Reproduction): string {
  if (seen === 0) return 'not reproduced when retried';
  const often = `reproduced in ${seen} of ${tried} retries`;
  if (cases.length === 1) return `${often}, by one request alone`;
  return `${often}, only with other requests: it depends on what is sent before or concurrently`;
}

/** Characters of a value, of a body, and of a line to repeat, in the terminal; the reports hold more. */
const [VALUE, BODY, LINE] = [400, 200, 4000];

/** One finding: what was expected, what came, what shows it, and how many could not be verified because of it. */
export function finding(one: ReportedRequirement, report: Shown, { paint, width }: Screen): string {
  const { target, scope } = report;
  const { style, symbol } = look(one, scope.strict);
  const row = (name: string, value: string) =>
    `    ${paint('gray', name.padEnd(9))} ${wrap(cutMiddle(inertLine(value), VALUE), width, 14)}`;
  const rowsOf = ({ request, response, failure }: ShownExchange) => {
    const came = response ? `${response.status} ${bodyText(response, BODY)}` : (failure ?? 'no response');
    return [row('request', sentText(request)), row('response', came)].join('\n');
  };
  const line = repeat(one.exchanges, new URL(target.baseUrl).origin) ?? '';
  const isShort = line !== '' && line.length <= LINE;
  const command = isShort ? line : `the request is too long to print: "reproduce ${one.id}" sends it again`;
  const details = () => [
    `    ${paint('bold', wrap(one.sentence, width, 4))}`,
    ...findingRows(one, report).map(([name, value]) => row(name, value)),
    ...one.exchanges.map(rowsOf).filter((text, at, all) => text !== all[at - 1]),
    // Not wrapped: it is there to be copied.
    ...(one.exchanges.length > 0 ? [`    ${paint('gray', 'repeat'.padEnd(9))} ${inertLine(command)}`] : []),
    row('source', one.source.text),
  ];
  const accepted = () => [
    `    ${wrap(inertLine(one.reason), width, 4)}`,
    ...(one.link ? [`    ${inertLine(one.link)}`] : []),
  ];
  return [
    `  ${paint(style, `${symbol} ${one.level} ${one.id}`)}`,
    ...(one.outcome === 'known-failure' ? accepted() : details()),
    ...waitingFor(one, report).map((text) => `    ${paint('cyan', wrap(text, width, 4))}`),
  ].join('\n');
}

const USUAL = ['accept', 'content-type', 'user-agent'];

/** A request in one line, with the headers that tell one case from another. */
function sentText({ method, path, headers, body }: ShownExchange['request']): string {
  const telling = Object.entries(headers).filter(([name, value]) => !USUAL.includes(name) && value !== HEADER_VALUE);
  const parts = [`${method} ${path}`, ...telling.map(([name, value]) => `${name}: ${value}`), body ?? ''];
  return parts.filter((part) => part !== '').join('  ');
}
