import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../exchange.ts';
import type { Outcome, OutcomeName } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import { exchangeText, inert } from './text.ts';

/** The parts of an Allure test result that are set here. */
export interface AllureResult {
  name: string;
  status?: string;
  statusDetails: { message?: string; trace?: string };
  description?: string;
  labels: { name: string; value: string }[];
  links: { name?: string; url: string; type?: string }[];
  attachments: { name: string; source: string; type: string }[];
}

/** Where a run's results go. */
interface Place {
  directory: string;
  origin: string;
  strict: boolean;
  /** The exchanges that were written: many tests look at the same. */
  written: Set<number>;
}

/** Allure has no warning: yellow is `broken`, and what could not be judged is `unknown`. Neither is green. */
const STATUS: Record<OutcomeName, string> = {
  passed: 'passed',
  failed: 'failed',
  'not-applicable': 'skipped',
  'not-verified': 'unknown',
  'known-failure': 'skipped',
};

/**
 * Completes the result that allure-vitest makes of a test by what the suite knows: the implementation's name as epic, the
 * chapter as feature, the level as severity, the sentence, the outcome as status, and each exchange as an attachment in
 * `directory`.
 */
export function completeAllureResult(
  result: AllureResult,
  { requirement, outcome }: { requirement: Omit<Requirement, 'check'>; outcome: Outcome },
  implementation: string,
  { directory, origin, strict, written }: Place,
): void {
  const warning = outcome.outcome === 'failed' && requirement.level === 'SHOULD' && !strict;
  result.name = `${requirement.slug}: ${requirement.sentence}`;
  result.description = `${requirement.level}, ${requirement.source.text}`;
  result.status = warning ? 'broken' : STATUS[outcome.outcome];
  const message = warning ? `Warning, SHOULD not met: ${outcome.reason}` : outcome.reason;
  result.statusDetails = message === '' ? {} : { message: inert(message) };
  // The suites that allure-vitest takes from the phases of a run say nothing to a reader.
  result.labels = result.labels.filter(({ name }) => !/suite$/i.test(name));
  result.labels.push(
    { name: 'parentSuite', value: requirement.chapter },
    { name: 'epic', value: implementation },
    { name: 'feature', value: requirement.chapter },
    { name: 'severity', value: requirement.level === 'MUST' ? 'critical' : 'minor' },
    { name: 'tag', value: requirement.level },
  );
  if (requirement.source.url) result.links.push({ name: requirement.source.text, url: requirement.source.url });
  mkdirSync(directory, { recursive: true });
  for (const exchange of outcome.exchanges) {
    const attachment = attachmentOf(exchange);
    result.attachments.push(attachment);
    if (written.has(exchange.id)) continue;
    writeFileSync(join(directory, attachment.source), exchangeText(exchange, origin));
    written.add(exchange.id);
  }
}

/** One file an exchange: tests that share it point to the same. */
function attachmentOf({ id, request, response, failure }: Exchange) {
  const name = inert(`${request.method} ${request.path.slice(0, 100)} → ${response?.status ?? failure ?? 'no answer'}`);
  return { name, source: `exchange-${id}-attachment.txt`, type: 'text/plain' };
}
