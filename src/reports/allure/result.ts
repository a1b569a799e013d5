import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../http/exchange.ts';
import type { Outcome } from '../../requirement/outcome.ts';
import type { Requirement } from '../../requirement/requirement.ts';
import { counted } from '../../verdict/verdict.ts';
import { curl, inert } from '../text.ts';
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

/** A requirement that was judged. */
export interface Judged {
  requirement: Omit<Requirement, 'check'> & { order: number };
  outcome: Outcome;
  /** When its check is said to have begun, milliseconds since 1970: readers of results show them in this order. */
  start: number;
  /** Why it is listed as a known failure; absent when it is not. */
  known?: string;
  /** The exchanges, by their ids, that are attached to no other requirement. */
  own: Set<number>;
}

/** What the results of a run have in common. */
interface Run {
  directory: string;
  /** What the person calls it. */
  implementation: string;
  origin: string;
  strict: boolean;
  /** Milliseconds since 1970. */
  start: number;
}

/** Completes the result that allure-vitest makes of a test by what the suite knows, and attaches its exchanges. */
export function completeAllureResult(result: AllureResult, judged: Judged, run: Run): void {
  const { slug, sentence, chapter, level, source } = judged.requirement;
  result.name = `${sentence} (${level} ${slug})`;
  result.fullName = slug;
  result.titlePath = [chapter];
  // The history of a requirement goes on when the suite is installed elsewhere.
  result.testCaseId = slug;
  result.historyId = slug;
  result.stop = judged.start + (result.stop ?? 0) - (result.start ?? 0);
  result.start = judged.start;
  const { status, title, tag } = inAllure(judged, run.strict);
  result.status = status;
  result.statusDetails = status === 'passed' ? {} : { message: inert(message(title, judged, run.origin)) };
  result.descriptionHtml = description(judged);
  // What allure-vitest says of files, hosts and threads says nothing to a reader.
  result.labels = [
    { name: 'parentSuite', value: chapter },
    { name: 'epic', value: run.implementation },
    { name: 'feature', value: chapter },
    { name: 'severity', value: level === 'MUST' ? 'critical' : 'minor' },
    ...[level, tag].flatMap((value) => (value === undefined ? [] : [{ name: 'tag', value }])),
  ];
  if (source.url) result.links.push({ name: source.text, url: source.url });
  if (judged.outcome.link) result.links.push({ name: judged.outcome.link, url: judged.outcome.link, type: 'issue' });
  attach(result, judged, run);
}

/** Allure's status, and the outcome in words. Allure has no warning: yellow is `broken`. Only what passed is green. */
function inAllure({ requirement: { level }, outcome, known }: Judged, strict: boolean) {
  switch (outcome.outcome) {
    case 'passed':
      // The gate is closed until it is taken off the list.
      if (known !== undefined) return { status: 'failed', title: `${level} met: take it off the known failures` };
      return { status: 'passed', title: '' };
    case 'failed':
      if (level === 'SHOULD' && !strict) return { status: 'broken', title: 'SHOULD not met, a warning' };
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
function message(title: string, { outcome, known }: Judged, origin: string): string {
  const { reason, expected, got, evidence } = outcome;
  const accepted = known === undefined ? [] : [row('listed', known)];
  if (expected === undefined || got === undefined) {
    return [[title, reason].filter((part) => part !== '').join(': '), ...accepted].join('\n');
  }
  const last = evidence.at(-1);
  const repeat = last === undefined ? [] : ['', 'repeat it:', curl(last, origin)];
  return [title, ...accepted, row('expected', expected), row('got', got), ...repeat].join('\n');
}

/** A value behind its name; the findings of several cases stand one below the other. */
function row(name: string, value: string): string {
  return `${name.padEnd(10)}${value.replaceAll('; ', `\n${' '.repeat(10)}`)}`;
}

/** Where a requirement comes from. Allure shows no message with what is `unknown`, so the reason stands here. */
function description({ requirement: { source }, outcome, own }: Judged): string {
  const why = outcome.outcome === 'not-verified' ? `<p>Not verified; ${escapeHtml(outcome.reason)}</p>` : '';
  const shared = new Set(outcome.exchanges.flatMap(({ id }) => (own.has(id) ? [] : [id]))).size;
  const elsewhere = `<p>It looked at ${counted(shared, 'more request')}; exchanges.har has every one.</p>`;
  return `${why}<p>Source: ${escapeHtml(source.text)}</p>${shared > 0 ? elsewhere : ''}`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return inert(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** Attaches the exchanges, in the order in which they were sent; those that show a finding come first. */
function attach(result: AllureResult, { requirement: { slug }, outcome, own }: Judged, run: Run): void {
  mkdirSync(run.directory, { recursive: true });
  const attachmentOf = (exchange: Exchange): Attachment => {
    // A file of its own for each result: Allure 3 shows an attachment only in the first that names it.
    const source = `${slug}-${exchange.id}-attachment.httpexchange`;
    writeFileSync(join(run.directory, source), JSON.stringify(httpExchange(exchange, run.origin, run.start)));
    return { name: exchangeName(exchange), source, type: 'application/vnd.allure.http+json' };
  };
  const step = (name: string, status: string | undefined, exchanges: Exchange[]) => ({
    ...{ name, status, statusDetails: {}, stage: 'finished', start: result.start, stop: result.start },
    ...{ parameters: [], steps: [], attachments: exchanges.map(attachmentOf) },
  });
  const inOrder = (exchanges: Exchange[]) => [...new Set(exchanges)].sort((a, b) => a.id - b.id);
  const evidence = inOrder(outcome.evidence);
  const others = inOrder(outcome.exchanges).filter((one) => own.has(one.id) && !evidence.includes(one));
  if (evidence.length === 0) {
    result.attachments.push(...others.map(attachmentOf));
    return;
  }
  result.steps.push(step('Requests that show why', result.status, evidence));
  if (others.length > 0) result.steps.push(step('Other requests that the check looked at', 'skipped', others));
}
