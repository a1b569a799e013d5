import { requirements } from '../specs/index.ts';
import { makeReport, type Run } from '../src/reports/make-report.ts';
import type { Report } from '../src/reports/report.ts';
import type { Outcome, OutcomeName } from '../src/requirement/outcome.ts';
import type { Level } from '../src/requirement/requirement.ts';

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
  needs?: string;
  excused?: true;
  link?: string;
}

/** What is the same in every made report, but for changes. */
const usual: Omit<Run, 'results'> = {
  suite: { name: 'suite', version: '1.0.0', requirementSet: '1.0.0' },
  target: { name: 'A', baseUrl: 'http://127.0.0.1:3000/v1', embeddedReference: false },
  settings: { strict: false, readOnly: false },
  knownFailures: [],
  start: new Date('2026-01-02T03:04:05.678Z'),
  duration: 1234,
  answerTimes: { slowest: [] },
};

/** The report of a run with these outcomes (passed where none is given), as a run would write it. */
export function madeReport(rows: MadeRow[], changes: Partial<Run> = {}): Report {
  const results = rows.map(({ slug, level = 'MUST', chapter = 'A chapter', sentence = 'It holds.', ...rest }) => ({
    requirement: { slug, level, chapter, sentence, source: { text: 'a document' } },
    outcome: { slug, outcome: 'passed' as const, reason: '', exchanges: [], lookedAt: [], ...rest },
    leftOut: false,
  }));
  return makeReport({ ...usual, results, ...changes });
}

/** The report of a run that was made in this process. */
export function reportOf(outcomes: Outcome[], changes: Partial<Run> = {}): Report {
  const results = requirements.flatMap((requirement) => {
    const outcome = outcomes.find(({ slug }) => slug === requirement.slug);
    return outcome ? [{ requirement, outcome, leftOut: false }] : [];
  });
  return makeReport({ ...usual, results, ...changes });
}
