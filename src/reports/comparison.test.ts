import { describe, expect, test } from 'vitest';
import { madeReport } from '../../tests/made-report.ts';
import { compareReports, comparisonJson, comparisonMarkdown } from './comparison.ts';
import type { Report } from './report.ts';
import { chaptersOf } from './selection.ts';

const target = (name: string, port: number) => ({
  name,
  baseUrl: `http://127.0.0.1:${port}/v1`,
  embeddedReference: false,
});
const tally = (observations: Record<string, string[]>) => ({
  start: 0,
  tag: 'abc',
  requests: 7,
  usersCreated: 3,
  observations,
});

const first = madeReport(
  [
    { slug: 'list.one', chapter: 'List' },
    { slug: 'list.old', chapter: 'List' },
    {
      slug: 'create.two',
      chapter: 'Create',
      level: 'SHOULD',
      sentence: 'The `Location` leads to it.',
    },
  ],
  { target: target('Go', 1001), tally: tally({ 'create status': ['201'] }) },
);
const second = madeReport(
  [
    {
      slug: 'list.one',
      chapter: 'List',
      outcome: 'failed',
      reason: 'r',
      expected: 'a list',
      got: 'a string',
    },
    {
      slug: 'create.two',
      chapter: 'Create',
      level: 'SHOULD',
      outcome: 'failed',
      reason: 'r',
      expected: 'x',
      got: 'y',
    },
    { slug: 'list.new', chapter: 'List', outcome: 'not-verified', reason: 'needs: list.one' },
  ],
  {
    target: target('Java', 1002),
    suite: { name: 'suite', version: '1.1.0', requirementSet: '2.0.0' },
    tally: tally({ 'create status': ['200', '201'], 'status for an unknown identifier': ['404'] }),
  },
);

/** The second report, in which the SHOULD passes. */
const fixed: Report = {
  ...second,
  requirements: second.requirements.map((requirement) =>
    requirement.id === 'create.two' ? { ...requirement, outcome: 'passed' } : requirement,
  ),
};

/** Returns the cells of the table row that contains a name. */
const row = (text: string, name: string) => {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const line = rows.find((text) => text.includes(name)) ?? '';
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
};

describe('a comparison', () => {
  const comparison = compareReports([first, second]);
  const text = comparisonMarkdown(comparison);

  test('has the requirements of all reports by chapter, with an outcome for each report', () => {
    const words = comparison.requirements.map(({ name, appearances }) => [
      name,
      ...appearances.map(({ symbol, words }) => `${symbol} ${words}`),
    ]);
    expect(words).toEqual([
      ['list.one', '✓ passed', '✗ failed'],
      ['list.old', '✓ passed', '· not in this set'],
      ['list.new', '· not in this set', '? not verified'],
      ['create.two', '✓ passed', '! warning'],
    ]);
    const chapters = chaptersOf(comparison.requirements);
    expect(chapters.map(([title, rows]) => [title, rows.length])).toEqual([
      ['List', 3],
      ['Create', 1],
    ]);
  });

  test('has a column of facts for each report', () => {
    expect(row(text, 'base address')).toEqual([
      'base address',
      'http://127.0.0.1:1001/v1',
      'http://127.0.0.1:1002/v1',
    ]);
    expect(row(text, 'suite version')).toEqual(['suite version', '1.0.0', '1.1.0']);
    expect(row(text, 'requirement set')).toEqual(['requirement set', '1.0.0', '2.0.0']);
    const date = '2026-01-02 03:04 UTC';
    expect(row(text, 'date')).toEqual(['date', date, date]);
    expect(row(text, 'MUST passed')).toEqual(['MUST passed', '2/2', '0/2']);
    expect(row(text, 'SHOULD passed')).toEqual(['SHOULD passed', '1/1', '0/1']);
  });

  test('has the choices of each service as data', () => {
    expect(comparisonJson(comparison)).toMatchObject({
      observations: [
        { name: 'create status', values: [['201'], ['200', '201']], differs: true },
        { name: 'status for an unknown identifier', values: [[], ['404']], differs: true },
      ],
    });
  });

  test('keeps the given order and is deterministic', () => {
    expect(compareReports([second, first]).names).toEqual(['Java', 'Go']);
    expect(comparisonMarkdown(compareReports([first, second]))).toBe(text);
  });

  test('gives reports of the same name different names', () => {
    const targets = [target('A', 1), target('B', 2), target('A', 3), target('A', 3)];
    const reports = targets.map((each) => madeReport([], { target: each }));
    expect(compareReports(reports).names).toEqual([
      'A (http://127.0.0.1:1/v1)',
      'B',
      'A (http://127.0.0.1:3/v1), report 3',
      'A (http://127.0.0.1:3/v1), report 4',
    ]);
  });
});

/** Makes a report with a text in every place that may have text. */
function filledWith(text: string): Report {
  const outcomes = ['passed', 'failed', 'known-failure', 'not-verified', 'not-applicable'] as const;
  const rows = outcomes.map((outcome) => ({
    slug: `${text}${outcome}`,
    chapter: text,
    sentence: text,
    outcome,
    reason: text,
    ...(outcome === 'failed' && { expected: text, got: text }),
  }));
  const report = madeReport(rows, {
    suite: { name: text, version: text, requirementSet: text },
    target: { name: text, baseUrl: text, embeddedReference: false },
    tally: {
      start: 0,
      tag: text,
      requests: 1,
      usersCreated: 1,
      observations: { [text]: [text, text] },
    },
  });
  return { ...report, because: text };
}

test('different outcomes come first, and a report has the path of its page', () => {
  const comparison = compareReports([second, second, second], [undefined, 'java/report.html']);
  expect(comparison.failed.map(({ name }) => name)).toEqual(['list.one', 'create.two']);
  const mixed = compareReports([second, fixed, second], [undefined, 'java/report.html']);
  expect(mixed.changes).toBeUndefined();
  expect(mixed.failed.map(({ name }) => name)).toEqual(['create.two', 'list.one']);
  const { reports } = comparisonJson(mixed) as { reports: { report: string | null }[] };
  expect(reports.map(({ report }) => report)).toEqual([null, 'java/report.html', null]);
});

test('the Markdown has the facts of the runs and the failures of any', () => {
  const text = comparisonMarkdown(compareReports([first, second]));
  expect(text).toContain('From Go to Java: 2 new failures, 1 no longer checked');
  expect(text).toContain('| verdict | ✓ conformant | ✗ non-conformant |');
  expect(text).toContain('| MUST | ` list.one ` | ✓ passed | ✗ failed |');
  expect(text).not.toContain('list.old ` |');
  expect(comparisonMarkdown(compareReports([first, first]))).toContain('No requirement fails.');
  const nasty = comparisonMarkdown(compareReports([filledWith('<b> | ` \n# x'), first])).split(
    '\n',
  );
  expect(nasty.filter((line) => line.startsWith('#'))).toEqual(['# Conformance comparison']);
  const cells = nasty
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/).length - 2);
  expect(new Set(cells)).toEqual(new Set([3, 4]));
  expect(nasty.join('\n').replaceAll(/`+ .*? `+/g, '')).not.toMatch(/(?<!\\)</);
});

test('two reports also have the changes from the first to the second', () => {
  const comparison = compareReports([first, second]);
  expect(comparisonMarkdown(comparison)).toContain(
    'From Go to Java: 2 new failures, 1 no longer checked',
  );
  expect(comparisonJson(comparison)).toMatchObject({
    reports: [{ name: 'Go', verdict: 'conformant', report: null }, { name: 'Java' }],
    changes: { failing: ['list.one', 'create.two'], unchecked: ['list.old'] },
    requirements: [
      { id: 'list.one', differs: true, outcomes: ['passed', 'failed'] },
      { id: 'list.old', outcomes: ['passed', null] },
      { id: 'list.new', outcomes: [null, 'not-verified'] },
      { id: 'create.two' },
    ],
  });
});
