import { expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { madeReport } from '../../tests/made-report.ts';
import { failures, score, verdictTitle } from './report.ts';

test.each([
  [{ partial: false, readOnly: false }, 'conformant'],
  [{ partial: true, readOnly: false }, 'conformant (partial)'],
  [{ partial: true, readOnly: true }, 'conformant (partial, read-only)'],
])('the verdict of a run with the limits %o is called %s', (scope, title) => {
  expect(verdictTitle({ verdict: 'conformant', scope: { ...scope, strict: false } })).toBe(title);
});

test('a made report is one by the schema, and counts its outcomes', () => {
  const report = madeReport([
    { slug: 'a.passed' },
    { slug: 'a.failed', outcome: 'failed', reason: 'expected a, got b', expected: 'a', got: 'b' },
    { slug: 'a.freed', outcome: 'not-applicable' },
    { slug: 'a.warned', level: 'SHOULD', outcome: 'failed' },
  ]);
  expect(schemaError('report.schema.json', report, 'report')).toBeUndefined();
  expect(report.counts.MUST).toMatchObject({ passed: 1, failed: 1, 'not-applicable': 1, 'not-verified': 0 });
  expect([score(report, 'MUST'), score(report, 'SHOULD')]).toEqual(['1/2', '0/1']);
});

test('what a filter left out, or the run ended before, is told as such', () => {
  const requirement = {
    slug: 'a.b',
    level: 'MUST' as const,
    chapter: 'A',
    sentence: 'It holds.',
    source: { text: 'x' },
  };
  const results = [
    { requirement, leftOut: true },
    { requirement, leftOut: false },
  ];
  const { requirements, scope } = madeReport([], { results });
  expect(requirements.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['not-applicable', 'left out by a filter'],
    ['not-verified', 'the run ended before it'],
  ]);
  expect(scope.partial).toBe(true);
});

test('of failures a MUST comes before a SHOULD, and among equals that without which most could not be verified', () => {
  const rows = [
    { slug: 'a.should', level: 'SHOULD' as const, outcome: 'failed' as const },
    { slug: 'a.leaf', outcome: 'failed' as const },
    { slug: 'a.root', outcome: 'failed' as const },
    ...['a.one', 'a.two'].map((slug) => ({ slug, outcome: 'not-verified' as const, needs: 'a.root' })),
  ];
  const ids = (report: ReturnType<typeof madeReport>) => {
    const { failing, warnings } = failures(report);
    return [failing.map(({ id }) => id), warnings.map(({ id }) => id)];
  };
  expect(ids(madeReport(rows))).toEqual([['a.root', 'a.leaf'], ['a.should']]);
  const strict = { strict: true, readOnly: false };
  expect(ids(madeReport(rows, { settings: strict }))).toEqual([['a.root', 'a.leaf', 'a.should'], []]);
});
