import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import { NASTY } from '../../tests/nasty.ts';
import { junit } from './junit.ts';

/** Parses the JUnit file of a run. */
function parseJunit(rows: MadeRow[]) {
  const text = junit(madeReport(rows));
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
    caseOf: (slug: string) => cases.find(({ name }: { name: string }) => name === slug),
  };
}

test('each chapter is a suite, and the run has its duration', () => {
  const { testsuites } = parseJunit([
    { slug: 'a.one', chapter: 'A' },
    { slug: 'b.one', chapter: 'B' },
    { slug: 'b.two', chapter: 'B' },
  ]);
  expect(testsuites).toMatchObject({ tests: '3', failures: '0', time: '1.234' });
  expect(testsuites.testsuite).toMatchObject([
    { name: 'A', tests: '1' },
    { name: 'B', tests: '2' },
  ]);
});

test('one fault is one failure: its dependents are skipped, with the reason', () => {
  const { caseOf, testsuites } = parseJunit([
    { slug: 'a.root', outcome: 'failed', reason: 'expected x, got y', expected: 'x', got: 'y' },
    { slug: 'a.needs', outcome: 'not-verified', reason: 'needs: a.root', needs: 'a.root' },
    { slug: 'a.gone', outcome: 'not-verified', reason: 'connection refused' },
    { slug: 'a.gone-too', outcome: 'not-verified', reason: 'connection refused' },
    { slug: 'a.should', level: 'SHOULD', outcome: 'failed', reason: 'expected x, got y' },
    { slug: 'a.known', outcome: 'known-failure', reason: 'next release' },
    { slug: 'a.free', outcome: 'not-applicable', reason: 'the list is paginated' },
  ]);
  expect(testsuites).toMatchObject({ tests: '7', failures: '1', errors: '1', skipped: '5' });
  const { message, '#text': text } = caseOf('a.root').failure;
  expect(message).toBe('MUST not met: It holds. Expected x, got y.');
  expect(text).toMatch(
    /^MUST not met: It holds\.\nexpected {2}x\ngot {7}y\nagain {5}.* --only a\.root .*\nsource {4}a document\n/,
  );
  expect(caseOf('a.needs').skipped).toEqual({ message: 'not verified: needs: a.root' });
  expect(caseOf('a.gone').error).toEqual({ message: 'not verified: connection refused' });
  expect(caseOf('a.gone-too').skipped).toEqual({ message: 'not verified: connection refused' });
  expect(caseOf('a.should').skipped.message).toBe('SHOULD not met: It holds. Expected x, got y.');
  expect(caseOf('a.known').skipped.message).toBe('known failure: next release');
  expect(caseOf('a.free').skipped.message).toBe('not applicable: the list is paginated');
});

test('text of a service is never markup', () => {
  const { text } = parseJunit([
    { slug: 'a.one', outcome: 'failed', reason: `]]>${NASTY}&\u0000"'`, expected: 'x', got: NASTY },
  ]);
  expect(text).not.toContain('<script>');
});
