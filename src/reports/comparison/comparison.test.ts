import { describe, expect, test } from 'vitest';
import { madeReport } from '../../../tests/made-report.ts';
import { chaptersOf, type Report } from '../report.ts';
import { compareReports } from './comparison.ts';
import { comparisonHtml } from './html.ts';
import { comparisonJson } from './json.ts';
import { comparisonMarkdown } from './markdown.ts';

const at = (name: string, port: number) => ({ name, baseUrl: `http://127.0.0.1:${port}/v1`, embeddedReference: false });
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
    { slug: 'create.two', chapter: 'Create', level: 'SHOULD', sentence: 'The `Location` leads to it.' },
  ],
  { target: at('Go', 1001), tally: tally({ 'create status': ['201'] }) },
);
const second = madeReport(
  [
    { slug: 'list.one', chapter: 'List', outcome: 'failed', reason: 'r', expected: 'a list', got: 'a string' },
    { slug: 'create.two', chapter: 'Create', level: 'SHOULD', outcome: 'failed', reason: 'r', expected: 'x', got: 'y' },
    { slug: 'list.new', chapter: 'List', outcome: 'not-verified', reason: 'needs: list.one' },
  ],
  {
    target: at('Java', 1002),
    suite: { name: 'suite', version: '1.1.0', requirementSet: '2.0.0' },
    tally: tally({ 'create status': ['200', '201'], 'answer to an unknown identifier': ['404'] }),
  },
);

/** The cells of the row of a Markdown table that begins with these cells. */
const row = (markdown: string, ...cells: string[]) =>
  markdown
    .split('\n')
    .find((line) => line.startsWith(`| ${cells.join(' | ')}`))
    ?.slice(2, -2)
    .split(' | ');

describe('a comparison', () => {
  const comparison = compareReports([first, second]);
  const markdown = comparisonMarkdown(comparison);
  const html = comparisonHtml(comparison);

  test('has the requirements of all reports by chapter, and an outcome in words for each implementation', () => {
    const requirement = (slug: string) => row(markdown, slug.startsWith('create') ? 'SHOULD' : 'MUST', `\` ${slug} \``);
    expect(requirement('list.one')?.slice(2)).toEqual(['✓ passed', '✗ failed']);
    expect(requirement('list.old')?.slice(2)).toEqual(['✓ passed', '· not in this set']);
    expect(requirement('list.new')?.slice(2)).toEqual(['· not in this set', '? not verified']);
    expect(requirement('create.two')?.slice(2)).toEqual(['✓ passed', '! warning']);
    const chapters = chaptersOf(comparison.requirements);
    expect(chapters.map(([title, rows]) => [title, ...rows.map(({ name }) => name)])).toEqual([
      ['List', 'list.one', 'list.old', 'list.new'],
      ['Create', 'create.two'],
    ]);
    expect(html).toContain('<summary>✗ failed</summary>');
    expect(html).toContain('<b>expected</b> a list</p><p><b>got</b> a string');
    expect(html).toContain('needs: list.one');
    expect(html).toContain('The <code>Location</code> leads to it.');
  });

  test('has verdicts, numbers, counts and choices, a column for each implementation', () => {
    expect(row(markdown, 'verdict')?.slice(1)).toEqual(['✓ conformant', '✗ non-conformant']);
    expect(row(markdown, 'base address')?.slice(1)).toEqual([
      '` http://127.0.0.1:1001/v1 `',
      '` http://127.0.0.1:1002/v1 `',
    ]);
    expect(row(markdown, 'date')?.slice(1)).toEqual(['` 2026-01-02 03:04 UTC `', '` 2026-01-02 03:04 UTC `']);
    expect(row(markdown, 'requests')?.slice(1)).toEqual(['7', '7']);
    expect(row(markdown, 'MUST failed')?.slice(1)).toEqual(['0', '1']);
    expect(row(markdown, 'SHOULD failed')?.slice(1)).toEqual(['0', '1']);
    expect(row(markdown, '` create status `')?.slice(1)).toEqual(['` 201 `', '` 200 `, ` 201 `']);
    expect(row(markdown, '` answer to an unknown identifier `')?.slice(1)).toEqual(['not seen', '` 404 `']);
  });

  test('says plainly when suites or sets of requirements differ', () => {
    const sentences = [
      'different versions of the suite: 1.0.0, 1.1.0.',
      'different sets of requirements: 1.0.0, 2.0.0.',
    ];
    for (const sentence of sentences) {
      expect(markdown).toContain(sentence);
      expect(html).toContain(sentence);
    }
    expect(compareReports([first, first]).notices).toEqual([]);
  });

  test('keeps the order given, and is the same each time', () => {
    expect(compareReports([second, first]).names).toEqual(['Java', 'Go']);
    expect(comparisonHtml(compareReports([first, second]))).toBe(html);
    expect(comparisonMarkdown(compareReports([first, second]))).toBe(markdown);
  });

  test('tells implementations of one name apart', () => {
    const reports = [at('A', 1), at('B', 2), at('A', 3), at('A', 3)].map((target) => madeReport([], { target }));
    expect(compareReports(reports).names).toEqual([
      'A (http://127.0.0.1:1/v1)',
      'B',
      'A (http://127.0.0.1:3/v1), report 3',
      'A (http://127.0.0.1:3/v1), report 4',
    ]);
  });

  test('is one page that loads and runs nothing', () => {
    expect(html).not.toMatch(/<script|<link|<img|\bsrc=|href="[^#]|url\(|@import/i);
    expect(html).toMatch(/content="default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'"/);
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
    [...comparisonHtml(compareReports([filledWith(text), { ...first, observations: {} }])).matchAll(/<[^>]*>/g)].map(
      ([tag]) => tag.replaceAll(/"[^"]*"/g, ''),
    );
  expect(tags(nasty)).toEqual(tags('plain'));
  const page = comparisonHtml(compareReports([filledWith(nasty)]));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
});

test('nothing that a report says is markup in the Markdown', () => {
  const nasty = '`` ` </details><script>x</script>| a \\| b | [c](d) @e <!-- \n\n# f\n\u001b[2J';
  const lines = (text: string) =>
    comparisonMarkdown(compareReports([filledWith(text), { ...first, observations: {} }])).split('\n');
  const outsideCode = (line: string) => line.replace(/(?<!`)(`+)(?!`) .*? \1(?!`)/g, 'code');
  expect(lines(nasty).map(outsideCode)).toEqual(lines('plain').map(outsideCode));
  const cells = (text: string) =>
    lines(text)
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').length);
  expect(cells(nasty)).toEqual(cells('plain'));
});

test('differences come first, in the page and in the Markdown, and a report is linked where it has a page', () => {
  const ONE = /id="list\.one"|MUST \| ` list\.one `/;
  const comparison = compareReports([first, second, first], [undefined, 'java/report.html']);
  expect(comparison.changes).toBeUndefined();
  for (const text of [comparisonHtml(comparison), comparisonMarkdown(comparison)]) {
    const [at, same] = [text.indexOf('Differences'), text.search(/The same everywhere|Without failures/)];
    expect(at).toBeGreaterThan(0);
    expect(text.slice(at, same)).toMatch(ONE);
    expect(text.slice(same)).not.toMatch(ONE);
    expect(text).toContain('java/report.html');
  }
});

test('of two reports it says what the second has changed, as data as well', () => {
  const comparison = compareReports([first, second]);
  expect(comparisonMarkdown(comparison)).toContain('2 new failures, 1 no longer checked');
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
