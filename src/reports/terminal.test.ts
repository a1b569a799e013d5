import { describe, expect, test } from 'vitest';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import type { Outcome } from '../requirement/outcome.ts';
import { screenOf, wrap } from './look.ts';
import { closing, type Detail } from './terminal.ts';

const screen = { paint: (_: string, text: string) => text, width: Number.POSITIVE_INFINITY };
const passed = (count: number, chapter: string): MadeRow[] =>
  Array.from({ length: count }, (_, at) => ({ slug: `${chapter.toLowerCase()}.c${at}`, chapter }));
const root: MadeRow = {
  ...{ slug: 'authentication.wrong-key', chapter: 'Authentication', outcome: 'failed' },
  ...{
    sentence: 'A wrong key is rejected.',
    expected: 'a refusal',
    got: '200',
    reason: 'expected a refusal, got 200',
  },
};
const behind = (count: number, chapter: string): MadeRow[] =>
  passed(count, chapter).map((row) => ({
    ...row,
    outcome: 'not-verified',
    needs: root.slug,
    reason: `needs: ${root.slug}`,
  }));
const printed = (rows: MadeRow[], how: { width?: number; detail?: Detail } = {}, changes = {}) =>
  closing(madeReport(rows, changes), 'reports', { ...screen, ...how }, how.detail);

describe('the screen of a run', () => {
  test('has a line for each chapter that passed', () => {
    const text = printed([...passed(25, 'Authentication'), ...passed(2, 'List')]);
    expect(text).toMatch(
      /^✓ Authentication 25\n✓ List 2\n\n {2}MUST .*\n\nVerdict: conformant\. Every MUST holds\.$/s,
    );
  });

  test('opens the chapter with a failure first, once, and counts below it what waits for it', () => {
    const text = printed([
      ...passed(3, 'List'),
      root,
      ...behind(2, 'Authentication'),
      ...behind(1, 'Create'),
    ]);
    const [head, slug] = text.split('\n');
    expect(head).toBe('✗ Authentication 1 failed, 2 not verified');
    expect(slug).toBe('  ✗ MUST authentication.wrong-key');
    expect(text.match(/✗ MUST/g)).toHaveLength(1);
    expect(text).toContain('\n    3 not verified: they depend on authentication.wrong-key\n');
    expect(text).toContain('\n✓ List 3\n? Create 1 not verified\n');
    expect(text).not.toContain('Not verified\n');
  });

  test.each([
    [100, '--data-binary'],
    [
      5000,
      'the request is too long to print: "--only authentication.wrong-key --repeat 10" sends it again',
    ],
  ])(
    'has a line that repeats a request, unless it is too long: a body of %i characters',
    (length, line) => {
      const request = {
        method: 'POST' as const,
        path: '/v1/users',
        headers: {},
        body: 'x'.repeat(length),
      };
      const exchanges = [
        { id: 1, request, at: 0, duration: 1, attempts: 1 },
      ] as unknown as Outcome['exchanges'];
      const text = printed([{ ...root, exchanges }]);
      expect(text).toMatch(/^ {4}repeat /m);
      expect(text).toContain(line);
      expect(Math.max(...text.split('\n').map((one) => one.length))).toBeLessThan(1000);
    },
  );

  test('ends a failure with the command that explains it', () => {
    const report = madeReport([root]);
    const command = { program: 'npx conformance', flags: {}, needs: [] };
    const text = closing(report, 'reports', screen, 'chapters', command);
    expect(text).toContain(
      '\n    source    a document\n    explain   npx conformance explain authentication.wrong-key\n',
    );
  });

  test('repeats a retrieval after the creation of its user', () => {
    const exchanges = [
      { request: { method: 'POST', path: '/v1/users', headers: {}, body: '{}' } },
      { request: { method: 'GET', path: '/v1/users/7', headers: {} } },
    ] as unknown as Outcome['exchanges'];
    expect(printed([{ ...root, exchanges }])).toMatch(
      /\n {4}repeat {4}curl .*\/v1\/users'\n {4}and then {2}curl .*\/v1\/users\/7'\n/,
    );
  });

  test('names the command that starts the service again, if the run has stopped it', () => {
    const exchanges = [
      { request: { method: 'GET', path: '/v1/users', headers: {} } },
    ] as unknown as Outcome['exchanges'];
    const report = madeReport([{ ...root, exchanges }]);
    const text = (flags: Record<string, string>) =>
      closing(report, 'reports', screen, 'chapters', { program: 'ums', flags, needs: [] });
    expect(text({ start: 'npm start' })).toContain(
      "ums --start 'npm start' --only authentication.wrong-key\n",
    );
    expect(text({})).not.toContain('--only');
  });

  test('has the same exchange once, where nothing was sent in between', () => {
    const sent = (...paths: string[]) =>
      paths.map((path) => ({
        request: { method: 'GET', path, headers: {} },
      })) as unknown as Outcome['exchanges'];
    const text = printed([{ ...root, exchanges: sent('/a', '/a', '/b', '/a') }]);
    expect(text.match(/^ {4}request .*/gm)?.map((line) => line.slice(-2))).toEqual([
      '/a',
      '/b',
      '/a',
    ]);
  });

  test('says once why something could not be verified without a failure', () => {
    const rows = passed(9, 'List').map((row) => ({
      ...row,
      outcome: 'not-verified' as const,
      reason: 'no response',
    }));
    expect(printed(rows)).toContain(
      '? List 9 not verified\n\nNot verified\n  ? no response\n    list.c0, list.c1, list.c2, list.c3, list.c4 and 4 more',
    );
  });

  test('--verbose has a line for each requirement, --quiet the verdict alone', () => {
    const rows = [...passed(2, 'List'), root];
    expect(printed(rows, { detail: 'all' })).toContain(
      '✓ List 2\n  ✓ MUST   list.c0\n  ✓ MUST   list.c1\n',
    );
    expect(printed(rows, { detail: 'verdict' })).toBe(
      'Verdict: non-conformant. 1 requirement failed: authentication.wrong-key.',
    );
  });

  test('the last line names what failed, a few of many', () => {
    const failed = (slug: string): MadeRow => ({ ...root, slug });
    const lastOf = (rows: MadeRow[], changes = {}) => printed(rows, {}, changes).split('\n').at(-1);
    expect(lastOf([failed('list.total-integer'), failed('create.name-required')])).toBe(
      'Verdict: non-conformant. 2 requirements failed: list.total-integer, create.name-required.',
    );
    expect(lastOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(failed))).toBe(
      'Verdict: non-conformant. 7 requirements failed: a, b, c, d, e and 2 more.',
    );
    const should = { ...failed('create.location'), level: 'SHOULD' as const };
    expect(lastOf([...passed(1, 'List'), should])).toBe('Verdict: conformant. Every MUST holds.');
    expect(lastOf([should], { strict: true })).toContain('1 requirement failed: create.location.');
  });

  test('a failed SHOULD is one line; its details come with --verbose and with --strict', () => {
    const should: MadeRow = { ...root, slug: 'create.location', level: 'SHOULD' };
    const rows = [...passed(1, 'List'), { ...should, chapter: 'Create' }];
    expect(printed(rows)).toContain(
      '! Create 1 warning\n  ! SHOULD create.location  expected a refusal, got 200\n\n✓ List 1',
    );
    expect(printed(rows)).not.toContain('    expected ');
    expect(printed(rows, { detail: 'all' })).toContain('    expected  a refusal\n');
    expect(printed(rows, {}, { strict: true })).toContain('    expected  a refusal\n');
    const long = [{ ...should, reason: 'many words '.repeat(50) }];
    const [, line = ''] = printed(long, { width: 80 }).split('\n');
    expect(line).toMatch(/^ {2}! SHOULD create\.location {2}many .*…$/);
    expect(line.length).toBeLessThanOrEqual(80);
  });

  test('a known failure stands in its chapter, with its reason and its link on a line of its own', () => {
    const known = {
      ...root,
      outcome: 'known-failure' as const,
      reason: 'our ticket',
      link: 'https://t.example/1',
    };
    expect(printed([known])).toContain(
      '~ MUST authentication.wrong-key\n    our ticket\n    https://t.example/1\n',
    );
  });

  test.each([80, 120])('has no line of more than %i columns', (width) => {
    const got = `${'many words and '.repeat(20)}${'x'.repeat(300)}`;
    const text = printed([{ ...root, got }, ...behind(40, 'List')], { width });
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(width);
    expect(text).toContain('\n              ');
  });
});

describe('wrapping', () => {
  test.each([
    ['a few words', 40, 'a few words'],
    ['one two three four five six seven', 22, 'one two three four\n  five six seven'],
    ['x'.repeat(30), 22, `${'x'.repeat(20)}\n  ${'x'.repeat(10)}`],
    ['山田太郎山田太郎山田太郎', 22, '山田太郎山田太郎山田\n  太郎'],
    ['what a target sent is ::error::', 24, 'what a target sent is\n  \\u003a:error::'],
  ])('%s at %i columns', (text, width, wrapped) => {
    expect(wrap(text, width, 2)).toBe(wrapped);
  });

  test('there is none without a terminal', () => {
    const widthOf = (isTTY: boolean) =>
      screenOf({ isTTY, columns: 120, hasColors: () => true } as unknown as NodeJS.WriteStream)
        .width;
    expect([widthOf(false), widthOf(true)]).toEqual([Number.POSITIVE_INFINITY, 120]);
  });
});

describe('colors', () => {
  const stream = (isTTY: boolean) => ({ isTTY, hasColors: () => true }) as NodeJS.WriteStream;
  test.each<[boolean, NodeJS.ProcessEnv, boolean]>([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [false, { GITHUB_ACTIONS: 'true' }, true],
    [false, { GITHUB_ACTIONS: 'true', NO_COLOR: '1' }, false],
  ])('terminal %s, %o: %s', (isTTY, env, colored) => {
    expect(screenOf(stream(isTTY), env).paint('red', 'x') !== 'x').toBe(colored);
  });
});
