import { expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { madeReport } from '../../tests/made-report.ts';
import { runPage } from './page/run-page.ts';
import { failures, LEFT_OUT, reported, score } from './report.ts';
import { badge, markdown } from './summary.ts';
import { closing } from './terminal.ts';

const screen = { paint: (_: string, text: string) => text, width: Number.POSITIVE_INFINITY };

test.each([
  [{ partial: false, readOnly: false }, 0, 'conformant'],
  [{ partial: true, readOnly: false }, 0, 'conformant (partial)'],
  [{ partial: true, readOnly: true }, 0, 'conformant (partial, read-only)'],
  [{ partial: false, readOnly: false }, 1, 'conformant, with 1 known failure'],
  [{ partial: true, readOnly: false }, 2, 'conformant (partial), with 2 known failures'],
])(
  'the verdict of a run with the limits %o and %i known failures is called %s',
  ({ partial, readOnly }, count, title) => {
    const left = { slug: 'a.left', outcome: 'not-applicable' as const, reason: LEFT_OUT };
    const known = Array.from({ length: count }, (_, at) => ({
      slug: `a.${at}`,
      outcome: 'known-failure' as const,
    }));
    const report = madeReport([{ slug: 'a.passed' }, ...(partial ? [left] : []), ...known], {
      readOnly,
    });
    expect(report.title).toBe(title);
  },
);

test('what a known failure left unjudged is not verified, does not close the gate, and is counted', () => {
  const rows = [
    { slug: 'a.passed' },
    { slug: 'a.root', outcome: 'known-failure' as const },
    ...['a.one', 'a.two'].map((slug) => ({
      ...{ slug, outcome: 'not-verified' as const, needs: 'a.root', excused: true as const },
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
  expect(closing(report, '/reports', screen)).toContain(
    'Verdict: conformant, with 1 known failure.',
  );
});

test('a made report is one by the schema, and counts its outcomes', () => {
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

test('what the run ended before is told as such', () => {
  const one = {
    slug: 'a.b',
    level: 'MUST' as const,
    chapter: 'A',
    sentence: 'It holds.',
    source: { text: 'x' },
  };
  expect(reported(one)).toMatchObject({
    outcome: 'not-verified',
    reason: 'the run ended before it',
    exchanges: [],
  });
});

test('of failures a MUST comes before a SHOULD, and among equals that without which most could not be verified', () => {
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
  const ids = (report: ReturnType<typeof madeReport>) => {
    const { failing, warnings } = failures(report);
    return [failing.map(({ id }) => id), warnings.map(({ id }) => id)];
  };
  expect(ids(madeReport(rows))).toEqual([['a.root', 'a.leaf'], ['a.should']]);
  expect(ids(madeReport(rows, { strict: true }))).toEqual([['a.root', 'a.leaf', 'a.should'], []]);
});

test('how often a failure was seen is said in the terminal, on the page and in the summary', () => {
  const report = madeReport([
    { slug: 'a.b', outcome: 'failed', expected: '1', got: '2', seen: { times: 2, of: 9 } },
  ]);
  const often = '2 of 9 times';
  for (const text of [closing(report, '/reports', screen), runPage(report), markdown(report)]) {
    expect(text).toContain(often);
  }
});

test.each([
  ['http://a.example/v1/users is a web page', 'http://a.example/v1/users is a web page.'],
  ['["$own"] came back', '["$own"] came back.'],
  [
    'the service returns 401: is it the right key?',
    'The service returns 401: is it the right key?',
  ],
])('a reason becomes a sentence, and nothing of a target changes: %j', (obstacle, sentence) => {
  const rows = [{ slug: 'a.b', outcome: 'not-verified' as const, reason: obstacle }];
  expect(madeReport(rows, { obstacle })).toMatchObject({ obstacle: sentence, because: sentence });
});

test('users were created only where the interface answered', () => {
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
    "the target returned 503 and asks to retry after 90 s, past the run's deadline",
    "The target returned 503 and asks to retry after 90 s, past the run's deadline: raise CONFORMANCE_DEADLINE_MS or the limit of the service.",
  ],
])('an obstacle has its next step, once: %s', (reason, sentence) => {
  const rows = [{ slug: 'a.b', outcome: 'not-verified' as const, reason }];
  const text = closing(madeReport(rows, { obstacle: reason }), 'reports', screen);
  expect(text.split('\n').at(-1)).toBe(`Verdict: inconclusive. ${sentence}`);
  expect(text.match(/raise /g)).toHaveLength(1);
  const [, clause = ''] = sentence.split(': ');
  expect(closing(madeReport(rows), 'reports', screen)).toContain(`: ${clause.slice(0, -1)}\n`);
});
