import { describe, expect, test } from 'vitest';
import { madeReport } from '../../tests/made-report.ts';
import { compareReports, comparisonMarkdown } from './comparison.ts';
import type { Report } from './report.ts';

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

/** Returns the cells of the table row that begins with a name. */
function row(text: string, name: string): string[] {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`| ${name}`)) ?? '';
  const cells = line.split('|').slice(1, -1);
  return cells.map((cell) => cell.trim());
}

describe('a comparison', () => {
  const text = comparisonMarkdown(compareReports([first, second]));

  test('has each requirement that fails in any run, with its outcome in each', () => {
    expect(row(text, 'MUST ` list.one')).toEqual(['MUST ` list.one `', '✓', '✗', 'Java']);
    expect(row(text, 'SHOULD ` create.two')).toEqual(['SHOULD ` create.two `', '✓', '!', 'Java']);
    expect(text).not.toContain('list.old');
    expect(text).not.toContain('list.new');
    expect(text).toMatch(/\n\n✗ failed, ! warning, .*, · not in the set\n$/);
  });

  test('has a column of facts for each report', () => {
    expect(row(text, '')).toEqual(['', 'Go', 'Java', 'fails since']);
    expect(row(text, 'verdict')).toEqual(['verdict', '✓ conformant', '✗ non-conformant', '']);
    expect(row(text, 'base address').slice(1, 3)).toEqual([
      'http://127.0.0.1:1001/v1',
      'http://127.0.0.1:1002/v1',
    ]);
    expect(row(text, 'suite version').slice(1, 3)).toEqual(['1.0.0', '1.1.0']);
    expect(row(text, 'requirement set').slice(1, 3)).toEqual(['1.0.0', '2.0.0']);
    expect(row(text, 'MUST passed').slice(1, 3)).toEqual(['2/2', '0/2']);
    expect(row(text, 'SHOULD passed').slice(1, 3)).toEqual(['1/1', '0/1']);
    expect(row(text, 'changes').slice(1, 3)).toEqual(['', '2 new failures, 1 no longer checked']);
  });

  test('gives reports of the same name different heads', () => {
    const targets = [target('A', 1), target('B', 2), target('A', 3)];
    const reports = targets.map((each) => madeReport([], { target: each }));
    const date = '2026-01-02 03:04 UTC';
    expect(compareReports(reports).heads).toEqual([`A, ${date}`, 'B', `A, ${date}`]);
  });
});

test('runs of one implementation are in the order of time, with the run since which each requirement fails', () => {
  const outcomes = {
    'a.broke': ['passed', 'passed', 'failed', 'not-verified', 'failed'],
    'a.mended': ['failed', 'failed', 'passed', 'passed', 'passed'],
    'a.always': ['failed', 'not-applicable', 'failed', 'failed', 'failed'],
    'a.again': ['failed', 'passed', 'passed', 'passed', 'failed'],
    'a.fine': ['passed', 'passed', 'passed', 'passed', 'passed'],
  } as const;
  const reports = [0, 1, 2, 3, 4].map((day) =>
    madeReport(
      Object.entries(outcomes).map(([slug, each]) => ({ slug, outcome: each[day] ?? 'passed' })),
      { start: `2026-01-0${day + 1}T03:04:05.678Z` },
    ),
  );
  const [a, b, c, d, e] = reports as [Report, Report, Report, Report, Report];
  const comparison = compareReports([d, a, e, c, b]);
  const days = ['01', '02', '03', '04', '05'].map((day) => `2026-01-${day} 03:04 UTC`);
  expect(comparison.heads).toEqual(days);
  const text = comparisonMarkdown(comparison);
  expect(row(text, 'MUST ` a.broke').slice(1)).toEqual(['✓', '✓', '✗', '?', '✗', days[2]]);
  expect(row(text, 'MUST ` a.mended').slice(1)).toEqual(['✗', '✗', '✓', '✓', '✓', '']);
  expect(row(text, 'MUST ` a.always').slice(1)).toEqual(['✗', '–', '✗', '✗', '✗', days[0]]);
  expect(row(text, 'MUST ` a.again').slice(1)).toEqual(['✗', '✓', '✓', '✓', '✗', days[4]]);
  expect(text).not.toContain('a.fine');
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

test('text of a report is no Markdown', () => {
  const text = comparisonMarkdown(compareReports([filledWith('<b> | ` \n# x'), first]));
  const lines = text.split('\n');
  expect(lines.filter((line) => line.startsWith('#'))).toEqual(['# Conformance comparison']);
  const cells = lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/).length - 2);
  expect(new Set(cells)).toEqual(new Set([4]));
  expect(text.replaceAll(/`+ .*? `+/g, '')).not.toMatch(/(?<!\\)</);
});
