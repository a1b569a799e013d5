import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import { NASTY } from '../../tests/nasty.ts';
import type { TracedExchange } from './run-result.ts';
import { junit } from './test-results.ts';

const traced = (durations: [number, string[]][]) =>
  durations.map(
    ([duration, requirements]) =>
      ({ exchange: { duration }, requirements }) as unknown as TracedExchange,
  );

/** The cases of a run, by their names, and all of the document. */
function read(rows: MadeRow[], evidence: TracedExchange[] = []) {
  const text = junit(madeReport(rows), evidence);
  expect(XMLValidator.validate(text)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => /^testsuite$|case/.test(name),
  });
  const { testsuites } = parser.parse(text);
  const cases = testsuites.testsuite.flatMap(
    ({ testcase }: { testcase: { name: string }[] }) => testcase,
  );
  return {
    text,
    testsuites,
    of: (slug: string) => cases.find(({ name }: { name: string }) => name === slug),
  };
}

test('a suite for each chapter, and the times of the cases add up to the run', () => {
  const rows = [
    { slug: 'a.one', chapter: 'A' },
    { slug: 'b.one', chapter: 'B' },
    { slug: 'b.two', chapter: 'B' },
  ];
  const evidence = traced([
    [10, ['a.one']],
    [20, ['b.one', 'b.two']],
    [0, []],
  ]);
  const { testsuites, of } = read(rows, evidence);
  expect(testsuites).toMatchObject({ tests: '3', failures: '0', time: '1.234' });
  expect(testsuites.testsuite).toMatchObject([
    { name: 'A', tests: '1' },
    { name: 'B', tests: '2' },
  ]);
  expect(of('a.one').time).toBe('0.411');
  expect(of('b.one').time).toBe(of('b.two').time);
});

test('one fault is one failure: what it keeps from being verified is skipped, with the reason', () => {
  const { of, testsuites } = read([
    { slug: 'a.root', outcome: 'failed', reason: 'expected x, got y', expected: 'x', got: 'y' },
    { slug: 'a.needs', outcome: 'not-verified', reason: 'needs: a.root', needs: 'a.root' },
    { slug: 'a.gone', outcome: 'not-verified', reason: 'connection refused' },
    { slug: 'a.gone-too', outcome: 'not-verified', reason: 'connection refused' },
    { slug: 'a.should', level: 'SHOULD', outcome: 'failed', reason: 'expected x, got y' },
    { slug: 'a.known', outcome: 'known-failure', reason: 'next release' },
    { slug: 'a.free', outcome: 'not-applicable', reason: 'the list is paginated' },
  ]);
  expect(testsuites).toMatchObject({ tests: '7', failures: '1', errors: '1', skipped: '5' });
  expect(of('a.root').failure).toMatchObject({ message: 'MUST not met: It holds.' });
  expect(of('a.needs').skipped).toEqual({ message: 'not verified: needs: a.root' });
  expect(of('a.gone').error).toEqual({ message: 'not verified: connection refused' });
  expect(of('a.gone-too').skipped).toEqual({ message: 'not verified: connection refused' });
  expect(of('a.should').skipped.message).toBe('SHOULD not met: It holds.');
  expect(of('a.known').skipped.message).toBe('known failure: next release');
  expect(of('a.free').skipped.message).toBe('not applicable: the list is paginated');
});

test('nothing that a service sends is part of the document', () => {
  const { text } = read([
    { slug: 'a.one', outcome: 'failed', reason: `]]>${NASTY}&\u0000"'`, expected: 'x', got: NASTY },
  ]);
  expect(text).not.toContain('<script>');
});
