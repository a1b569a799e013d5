import { requirements } from '../specs/index.ts';
import type { ShownExchange } from '../src/http/exchange.ts';
import { makeReport, reportRequirement } from '../src/reports/make-report.ts';
import type { Report, RunFacts } from '../src/reports/report.ts';
import type { Outcome, OutcomeName } from '../src/requirement/outcome.ts';
import type { Level } from '../src/requirement/requirement.ts';
import type { Terms } from '../src/verdict/verdict.ts';

/** A requirement of a made report. */
export interface MadeRow {
  slug: string;
  level?: Level;
  chapter?: string;
  sentence?: string;
  outcome?: OutcomeName;
  reason?: string;
  expected?: string;
  got?: string;
  seen?: Outcome['seen'] & object;
  exchanges?: Outcome['exchanges'];
  recipe?: Outcome['recipe'];
  needs?: string;
  excused?: true;
  link?: string;
}

/** The facts and terms of a made report. */
export type Made = RunFacts & Terms;

/** The default facts of made reports. */
const usual: Made = {
  suite: { name: 'suite', version: '1.0.0', requirementSet: '1.0.0' },
  target: { name: 'A', baseUrl: 'http://127.0.0.1:3000/v1', embeddedReference: false },
  strict: false,
  readOnly: false,
  knownFailures: [],
  start: '2026-01-02T03:04:05.678Z',
  duration: 1234,
  tally: { tag: '', start: 0, requests: 0, usersCreated: 0, observations: {} },
};

/**
 * Makes a report as a run would write it. Rows without an outcome passed. The exchanges of a row
 * repeat its failure, unless it has a recipe.
 */
export function madeReport(rows: MadeRow[], changes: Partial<Made> = {}): Report {
  const made = { ...usual, ...changes };
  const reportedRows = rows.map(
    ({ slug, level = 'MUST', chapter = 'A chapter', sentence = 'It holds.', ...rest }) => {
      const { exchanges = [] } = rest;
      const recipe = exchanges.map((exchange) => ({ exchange }));
      return reportRequirement(
        { slug, level, chapter, sentence, source: { text: 'a document' } },
        made.target.baseUrl,
        { slug, outcome: 'passed', reason: '', exchanges, recipe, lookedAt: [], ...rest },
      );
    },
  );
  return makeReport(made, reportedRows, made);
}

/** Makes the report of a run in this process. */
export function reportOf(outcomes: Outcome[], changes: Partial<Made> = {}): Report {
  const made = { ...usual, ...changes };
  const rows = requirements.flatMap((requirement) => {
    const outcome = outcomes.find(({ slug }) => slug === requirement.slug);
    return outcome ? [reportRequirement(requirement, made.target.baseUrl, outcome)] : [];
  });
  return makeReport(made, rows, made);
}

/** Makes an exchange as reports show it. By default it is a `GET /v1/users` without a response. */
export const madeExchange = (changes: Partial<ShownExchange> = {}): ShownExchange =>
  ({
    id: 1,
    request: { method: 'GET', path: '/v1/users', headers: {} },
    at: 0,
    duration: 1,
    attempts: 1,
    ...changes,
  }) as ShownExchange;
