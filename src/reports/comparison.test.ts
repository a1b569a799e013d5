import { describe, expect, test } from 'vitest';
import { madeReport } from '../../tests/made-report.ts';
import {
  compareReports,
  comparisonHtml,
  comparisonJson,
  comparisonMarkdown,
} from './comparison.ts';
import { chaptersOf, type Report } from './report.ts';

const at = (name: string, port: number) => ({
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
  { target: at('Go', 1001), tally: tally({ 'create status': ['201'] }) },
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
    target: at('Java', 1002),
    suite: { name: 'suite', version: '1.1.0', requirementSet: '2.0.0' },
    tally: tally({ 'create status': ['200', '201'], 'status for an unknown identifier': ['404'] }),
  },
);

/** The cells of the row of a table whose first cell has this text. */
const row = (html: string, name: string) => {
  const [line = ''] =
    html.match(new RegExp(`<tr[^>]*>\\s*<th scope="row">[^\\n]*${name}.*?</tr>`, 's')) ?? [];
  return [...line.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
    cell.replace(/<summary>(.*?)<\/summary>.*/s, '$1').replaceAll(/<[^>]*>/g, ''),
  );
};

describe('a comparison', () => {
  const comparison = compareReports([first, second]);
  const html = comparisonHtml(comparison);

  test('has the requirements of all reports by chapter, and an outcome in words for each implementation', () => {
    expect(row(html, 'MUST <code[^>]*>list.<wbr>one')).toEqual(['✓ passed', '✗ failed']);
    expect(row(html, 'MUST <code[^>]*>list.<wbr>old')).toEqual(['✓ passed', '· not in this set']);
    expect(row(html, 'MUST <code[^>]*>list.<wbr>new')).toEqual([
      '· not in this set',
      '? not verified',
    ]);
    expect(row(html, 'SHOULD <code[^>]*>create.<wbr>two')).toEqual(['✓ passed', '! warning']);
    const chapters = chaptersOf(comparison.requirements);
    expect(chapters.map(([title, rows]) => [title, ...rows.map(({ name }) => name)])).toEqual([
      ['List', 'list.one', 'list.old', 'list.new'],
      ['Create', 'create.two'],
    ]);
    expect(html).toContain('<summary><strong class="red">✗ failed</strong></summary>');
    expect(html).toContain('<b>expected</b> a list</p><p><b>got</b> a string');
    expect(html).toContain('needs: list.one');
    expect(html).toContain('The <code>Location</code> leads to it.');
  });

  test('has verdicts, scores and choices, a column for each implementation', () => {
    expect(row(html, 'base address')).toEqual([
      'http://127.0.0.1:1001/v1',
      'http://127.0.0.1:1002/v1',
    ]);
    expect(row(html, 'suite version')).toEqual(['1.0.0', '1.1.0']);
    expect(row(html, 'requirement set')).toEqual(['1.0.0', '2.0.0']);
    expect(row(html, 'date')).toEqual(['2026-01-02 03:04 UTC', '2026-01-02 03:04 UTC']);
    expect(row(html, 'MUST passed')).toEqual(['2/2', '0/2']);
    expect(row(html, 'SHOULD passed')).toEqual(['1/1', '0/1']);
    expect(row(html, 'create status')).toEqual(['201', '200, 201']);
    expect(row(html, 'status for an unknown identifier')).toEqual(['not seen', '404']);
  });

  test('keeps the order given, and is the same each time', () => {
    expect(compareReports([second, first]).names).toEqual(['Java', 'Go']);
    expect(comparisonHtml(compareReports([first, second]))).toBe(html);
  });

  test('tells implementations of one name apart', () => {
    const reports = [at('A', 1), at('B', 2), at('A', 3), at('A', 3)].map((target) =>
      madeReport([], { target }),
    );
    expect(compareReports(reports).names).toEqual([
      'A (http://127.0.0.1:1/v1)',
      'B',
      'A (http://127.0.0.1:3/v1), report 3',
      'A (http://127.0.0.1:3/v1), report 4',
    ]);
  });

  test('is one page that loads and runs nothing', () => {
    expect(html).not.toMatch(/<script|<link|<img|\bsrc=|href="[^#]|url\(|@import/i);
    expect(html).toMatch(
      /content="default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'"/,
    );
  });
});

/** A report with a text in every place where a report may have any. */
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

test('nothing that a report says is markup in the page', () => {
  const nasty = `"'></td></style><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\u001b[2J\u202e`;
  const tags = (text: string) =>
    [
      ...comparisonHtml(
        compareReports([filledWith(text), { ...first, observations: {} }]),
      ).matchAll(/<[^>]*>/g),
    ].map(([tag]) => tag.replaceAll(/"[^"]*"/g, ''));
  expect(tags(nasty)).toEqual(tags('plain'));
  const page = comparisonHtml(compareReports([filledWith(nasty)]));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
});

test('differences come first, and a report is linked where it has a page', () => {
  const comparison = compareReports([first, second, first], [undefined, 'java/report.html']);
  expect(comparison.changes).toBeUndefined();
  const text = comparisonHtml(comparison);
  const [at, one, same] = ['Failures', 'list.<wbr>one', 'Without failures'].map((part) =>
    text.indexOf(part),
  );
  expect(at).toBeGreaterThan(0);
  expect(one).toBeGreaterThan(at ?? 0);
  expect(same).toBeGreaterThan(one ?? 0);
  expect(text).toContain('java/report.html');
});

test('as Markdown: the runs, and what fails in one of them', () => {
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

test('of two reports it says what the second has changed, as data as well', () => {
  const comparison = compareReports([first, second]);
  expect(comparisonHtml(comparison)).toContain('2 new failures, 1 no longer checked');
  expect(comparisonHtml(comparison)).toContain('<h2 id="changes">From Go to Java</h2>');
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
