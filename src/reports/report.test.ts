import { expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { madeReport } from '../../tests/made-report.ts';
import { badge } from './badge.ts';
import { reportRequirement } from './make-report.ts';
import { runPage } from './page/run-page.ts';
import type { Report } from './report.ts';
import { plainScreen } from './screen.ts';
import { failures, LEFT_OUT, score } from './selection.ts';
import { markdown } from './summary.ts';
import { closingText } from './terminal.ts';

const screen = plainScreen(Number.POSITIVE_INFINITY);

test.each([
  [{ partial: false, readOnly: false }, 0, 'conformant'],
  [{ partial: true, readOnly: false }, 0, 'conformant (partial)'],
  [{ partial: true, readOnly: true }, 0, 'conformant (partial, read-only)'],
  [{ partial: false, readOnly: false }, 1, 'conformant, with 1 known failure'],
  [{ partial: true, readOnly: false }, 2, 'conformant (partial), with 2 known failures'],
])(
  'a run with the limits %o and %i known failures has the title %s',
  ({ partial, readOnly }, count, title) => {
    const leftOut = { slug: 'a.left', outcome: 'not-applicable' as const, reason: LEFT_OUT };
    const known = Array.from({ length: count }, (_, at) => ({
      slug: `a.${at}`,
      outcome: 'known-failure' as const,
    }));
    const report = madeReport([{ slug: 'a.passed' }, ...(partial ? [leftOut] : []), ...known], {
      readOnly,
    });
    expect(report.title).toBe(title);
  },
);

test('dependents of a known failure are not verified, do not fail the run, and are counted', () => {
  const rows = [
    { slug: 'a.passed' },
    { slug: 'a.root', outcome: 'known-failure' as const },
    ...['a.one', 'a.two'].map((slug) => ({
      slug,
      outcome: 'not-verified' as const,
      needs: 'a.root',
      excused: true as const,
    })),
  ];
  const report = madeReport(rows);
  expect(schemaError('report', report, 'report')).toBeUndefined();
  expect(report).toMatchObject({
    verdict: 'conformant',
    title: 'conformant, with 1 known failure',
    because:
      'Every other MUST that was judged holds. 1 known failure (a.root); 2 requirements could not be judged because of it.',
  });
  expect(badge(report).message).toBe('conformant, with 1 known failure, 1/4 MUST');
  expect(markdown(report)).toContain('# Conformance of ` A `: conformant, with 1 known failure');
  expect(runPage(report)).toContain('✓ conformant, with 1 known failure');
  expect(closingText(report, '/reports', screen)).toContain(
    'Verdict: conformant, with 1 known failure.',
  );
});

test('a report is valid by its schema, and counts its outcomes', () => {
  const report = madeReport([
    { slug: 'a.passed' },
    { slug: 'a.failed', outcome: 'failed', reason: 'expected a, got b', expected: 'a', got: 'b' },
    { slug: 'a.freed', outcome: 'not-applicable' },
    { slug: 'a.warned', level: 'SHOULD', outcome: 'failed' },
  ]);
  expect(schemaError('report', report, 'report')).toBeUndefined();
  expect(report.counts.MUST).toMatchObject({
    passed: 1,
    failed: 1,
    'not-applicable': 1,
    'not-verified': 0,
  });
  expect([score(report, 'MUST'), score(report, 'SHOULD')]).toEqual(['1/2', '0/1']);
});

test('a requirement without an outcome has the reason that the run ended before it', () => {
  const requirement = {
    slug: 'a.b',
    level: 'MUST' as const,
    chapter: 'A',
    sentence: 'It holds.',
    source: { text: 'x' },
  };
  expect(reportRequirement(requirement, 'http://127.0.0.1/v1')).toMatchObject({
    outcome: 'not-verified',
    reason: 'the run ended before it',
    exchanges: [],
  });
});

test('a MUST precedes a SHOULD, then the failure with the most dependents comes first', () => {
  const rows = [
    { slug: 'a.should', level: 'SHOULD' as const, outcome: 'failed' as const },
    { slug: 'a.leaf', outcome: 'failed' as const },
    { slug: 'a.root', outcome: 'failed' as const },
    ...['a.one', 'a.two'].map((slug) => ({
      slug,
      outcome: 'not-verified' as const,
      needs: 'a.root',
    })),
  ];
  const ids = (report: Report) => {
    const { failing, warnings } = failures(report);
    return [failing.map(({ id }) => id), warnings.map(({ id }) => id)];
  };
  expect(ids(madeReport(rows))).toEqual([['a.root', 'a.leaf'], ['a.should']]);
  expect(ids(madeReport(rows, { strict: true }))).toEqual([['a.root', 'a.leaf', 'a.should'], []]);
});

test('the terminal, the page and the summary have the frequency of a failure', () => {
  const report = madeReport([
    { slug: 'a.b', outcome: 'failed', expected: '1', got: '2', seen: { times: 2, of: 9 } },
  ]);
  for (const text of [closingText(report, '/reports', screen), runPage(report), markdown(report)]) {
    expect(text).toContain('2 of 9 times');
  }
});

test.each([
  ['http://a.example/v1/users is a web page', 'http://a.example/v1/users is a web page.'],
  ['["$own"] came back', '["$own"] came back.'],
  [
    'the service returns 401: is it the right key?',
    'The service returns 401: is it the right key?',
  ],
])(
  'a reason becomes a sentence, and text of a target stays unchanged: %j',
  (obstacle, sentence) => {
    const rows = [{ slug: 'a.b', outcome: 'not-verified' as const, reason: obstacle }];
    expect(madeReport(rows, { obstacle })).toMatchObject({ obstacle: sentence, because: sentence });
  },
);

test('a web page does not count as a created user', () => {
  const tally = { tag: 'x', start: 0, requests: 3, usersCreated: 2, observations: {} };
  expect(madeReport([{ slug: 'a.b' }], { tally }).users.created).toBe(2);
  const page = { tally, obstacle: 'http://a.example/v1/users is a web page (HTML)' };
  expect(madeReport([{ slug: 'a.b' }], page).users.created).toBe(0);
});

const MS = 10_000;
test.each([
  [
    `no complete response within ${MS} ms from http://a.example`,
    'No complete response within 10000 ms from http://a.example: check that the service responds, or raise CONFORMANCE_TIMEOUT_MS if it needs longer.',
  ],
  [
    'the target returned 429 and has returned nothing else for 35 s',
    'The target returned 429 and has returned nothing else for 35 s: use CONFORMANCE_RATE to send fewer requests, or raise the limit of the service.',
  ],
  [
    'the target returned 429 and locks the suite out for 300 s',
    'The target returned 429 and locks the suite out for 300 s: if it does so after wrong keys, raise that limit for the suite.',
  ],
  [
    "the target returned 503 and asks to retry after 90 s, past the run's deadline",
    "The target returned 503 and asks to retry after 90 s, past the run's deadline: raise CONFORMANCE_DEADLINE_MS or the limit of the service.",
  ],
])('an obstacle has its next step once: %s', (reason, sentence) => {
  const rows = [{ slug: 'a.b', outcome: 'not-verified' as const, reason }];
  const text = closingText(madeReport(rows, { obstacle: reason }), 'reports', screen);
  expect(text.split('\n').at(-1)).toBe(`Verdict: inconclusive. ${sentence}`);
  expect(text.match(/raise /g)).toHaveLength(1);
  const [, clause = ''] = sentence.split(': ');
  expect(closingText(madeReport(rows), 'reports', screen)).toContain(`: ${clause.slice(0, -1)}\n`);
});
