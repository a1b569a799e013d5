import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../http/exchange.ts';
import { effectOf } from '../../verdict/verdict.ts';
import type { Report, ReportedRequirement } from '../report.ts';
import { curl, inert, inertJson, inertLine } from '../text.ts';
import { exchangeName, httpExchange } from './exchange.ts';

interface Attachment {
  name: string;
  source: string;
  type: string;
}

/** The parts of an Allure test result that are set here. */
export interface AllureResult {
  name: string;
  fullName?: string;
  titlePath?: string[];
  testCaseId?: string;
  historyId?: string;
  start?: number;
  stop?: number;
  status?: string;
  statusDetails: { message?: string; trace?: string };
  descriptionHtml?: string;
  labels: { name: string; value: string }[];
  links: { name?: string; url: string; type?: string }[];
  steps: object[];
  attachments: Attachment[];
}

/** A requirement as a report shows it, with what its result needs besides. */
export interface JudgedTest {
  requirement: ReportedRequirement;
  /** When it is said to have begun, milliseconds since 1970: readers of results show them in this order. */
  start: number;
  /** Why it is listed as a known failure; absent when it is not. */
  known?: string;
  /** The exchanges that are attached to it. */
  attached: Exchange[];
}

/** Completes the result that allure-vitest makes of a test by what the suite knows, and attaches its exchanges. */
export function completeAllureResult(
  result: AllureResult,
  judged: JudgedTest,
  report: Report,
  directory: string,
): void {
  const { id, sentence, chapter, level, source, link } = judged.requirement;
  const origin = new URL(report.target.baseUrl).origin;
  result.name = `${sentence} (${level} ${id})`;
  result.fullName = id;
  result.titlePath = [chapter];
  // The history of a requirement goes on when the suite is installed elsewhere.
  result.testCaseId = id;
  result.historyId = id;
  result.stop = judged.start + (result.stop ?? 0) - (result.start ?? 0);
  result.start = judged.start;
  const { status, title, tag } = inAllure(judged, report);
  result.status = status;
  result.statusDetails = status === 'passed' ? {} : { message: inert(message(title, judged, origin)) };
  result.descriptionHtml = description(judged);
  // What allure-vitest says of files, hosts and threads says nothing to a reader.
  result.labels = [
    { name: 'parentSuite', value: chapter },
    { name: 'epic', value: inertLine(report.target.name) },
    { name: 'feature', value: chapter },
    { name: 'severity', value: level === 'MUST' ? 'critical' : 'minor' },
    ...[level, tag].flatMap((value) => (value === undefined ? [] : [{ name: 'tag', value }])),
  ];
  if (source.url) result.links.push({ name: source.text, url: source.url });
  if (link) result.links.push({ name: inertLine(link), url: inertLine(link), type: 'issue' });
  attach(result, judged, { directory, origin, start: Date.parse(report.start) });
}

/** Allure's status, and the outcome in words. Allure has no warning: yellow is `broken`. Only what passed is green. */
function inAllure({ requirement, known }: JudgedTest, { scope, knownFailures }: Report) {
  const { level, outcome, id } = requirement;
  const listed = knownFailures.listed.map((entry) => ({ ...entry, file: '', line: 0, expired: false }));
  const effect = effectOf({ slug: id, level, outcome }, { strict: scope.strict, knownFailures: listed });
  switch (outcome) {
    case 'passed':
      if (effect === 'fails' && known)
        return { status: 'failed', title: `${level} met: take it off the known failures` };
      return { status: 'passed', title: '' };
    case 'failed':
      if (effect === 'warns') return { status: 'broken', title: `${level} not met, a warning` };
      return { status: 'failed', title: `${level} not met` };
    case 'not-verified':
      return { status: 'unknown', title: '' };
    case 'not-applicable':
      return { status: 'skipped', title: 'not applicable', tag: 'not applicable' };
    case 'known-failure':
      return { status: 'skipped', title: `${level} not met, a known failure`, tag: 'known failure' };
  }
}

/** Why a requirement is not passed; the first line tells the essence. A finding comes with a way to see it again. */
function message(title: string, { requirement, known }: JudgedTest, origin: string): string {
  const { reason, expected, got, exchanges } = requirement;
  const accepted = known === undefined ? [] : [row('listed', known)];
  if (expected === undefined || got === undefined) {
    return [[title, reason].filter((part) => part !== '').join(': '), ...accepted].join('\n');
  }
  const last = exchanges.at(-1);
  const repeat = last === undefined ? [] : ['', 'repeat it:', curl(last, origin)];
  return [title, ...accepted, row('expected', expected), row('got', got), ...repeat].join('\n');
}

/** A value behind its name; the findings of several cases stand one below the other. */
function row(name: string, value: string): string {
  return `${name.padEnd(10)}${value.replaceAll('; ', `\n${' '.repeat(10)}`)}`;
}

/** Where a requirement comes from. Allure shows no message with what is `unknown`, so the reason stands here. */
function description({ requirement: { source, outcome, reason } }: JudgedTest): string {
  const why = outcome === 'not-verified' ? `<p>Not verified; ${escapeHtml(reason)}</p>` : '';
  return `${why}<p>Source: ${escapeHtml(source.text)}</p><p>exchanges.har has every request of the run.</p>`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return inert(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** Attaches the exchanges, in the order in which they were sent; those that show a failure come first. */
function attach(result: AllureResult, { requirement, attached }: JudgedTest, run: Run): void {
  mkdirSync(run.directory, { recursive: true });
  const attachmentOf = (exchange: Exchange): Attachment => {
    // A file of its own for each result: Allure 3 shows an attachment only in the first that names it.
    const source = `${requirement.id}-${exchange.id}-attachment.httpexchange`;
    writeFileSync(join(run.directory, source), inertJson(httpExchange(exchange, run.origin, run.start)));
    return { name: exchangeName(exchange), source, type: 'application/vnd.allure.http+json' };
  };
  const step = (name: string, status: string | undefined, exchanges: Exchange[]) => ({
    ...{ name, status, statusDetails: {}, stage: 'finished', start: result.start, stop: result.start },
    ...{ parameters: [], steps: [], attachments: exchanges.map(attachmentOf) },
  });
  const shown = requirement.exchanges.map(({ id }) => id);
  const inOrder = [...attached].sort((a, b) => a.id - b.id);
  const [telling, others] = [
    inOrder.filter(({ id }) => shown.includes(id)),
    inOrder.filter(({ id }) => !shown.includes(id)),
  ];
  if (telling.length === 0) {
    result.attachments.push(...others.map(attachmentOf));
    return;
  }
  result.steps.push(step('Requests that show why', result.status, telling));
  if (others.length > 0) result.steps.push(step('Other requests of the evidence', 'skipped', others));
}

/** What the attachments of a run have in common. */
interface Run {
  directory: string;
  origin: string;
  /** Milliseconds since 1970. */
  start: number;
}
