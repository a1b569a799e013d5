import { describe, expect, test } from 'vitest';
import { makeExchange } from '../../tests/made-history.ts';
import { type MadeRow, madeExchange, madeReport } from '../../tests/made-report.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { plainScreen, screenOf, wrap } from './screen.ts';
import { closingText, type Detail } from './terminal.ts';

const screen = plainScreen(Number.POSITIVE_INFINITY);
const passed = (count: number, chapter: string): MadeRow[] =>
  Array.from({ length: count }, (_, index) => ({
    slug: `${chapter.toLowerCase()}.c${index}`,
    chapter,
  }));
const root: MadeRow = {
  slug: 'authentication.wrong-key',
  chapter: 'Authentication',
  outcome: 'failed',
  sentence: 'A wrong key is rejected.',
  expected: 'a refusal',
  got: '200',
  reason: 'expected a refusal, got 200',
};
const dependents = (count: number, chapter: string): MadeRow[] =>
  passed(count, chapter).map((row) => ({
    ...row,
    outcome: 'not-verified',
    needs: root.slug,
    reason: `needs: ${root.slug}`,
  }));
const printed = (
  rows: MadeRow[],
  options: { width?: number; detail?: Detail } = {},
  changes = {},
): string => {
  const { width = screen.width, detail } = options;
  return closingText(madeReport(rows, changes), 'reports', { ...screen, width }, detail);
};

const exchange = (method: 'GET' | 'POST', path: string, body?: string): ShownExchange =>
  madeExchange({ request: { method, path, headers: {}, ...(body !== undefined && { body }) } });

describe('the screen of a run', () => {
  test('has a line for each chapter that passed', () => {
    const text = printed([...passed(25, 'Authentication'), ...passed(2, 'List')]);
    expect(text).toMatch(
      /^✓ Authentication 25\n✓ List 2\n\n {2}MUST .*\n\nVerdict: conformant\. Every MUST holds\.$/s,
    );
  });

  test('shows the chapter with a failure first, once, with the number of its dependents', () => {
    const text = printed([
      ...passed(3, 'List'),
      root,
      ...dependents(2, 'Authentication'),
      ...dependents(1, 'Create'),
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
    [100, /^ {4}repeat {4}curl .* --data-binary /m],
    [5000, /^ {4}again .* --only authentication\.wrong-key --all-requests /m],
  ])(
    'repeats a request, or the run if the line would be too long: a body of %i characters',
    (length, line) => {
      const exchanges = [exchange('POST', '/v1/users', 'x'.repeat(length))];
      const text = printed([{ ...root, exchanges }]);
      expect(text).toMatch(line);
      expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(1000);
    },
  );

  test('ends a failure with the command that explains it', () => {
    const report = madeReport([root]);
    const command = { program: 'npx conformance', flags: {}, needs: [] };
    const text = closingText(report, 'reports', screen, 'chapters', command);
    expect(text).toContain(
      '\n    source    a document\n    explain   npx conformance explain authentication.wrong-key\n',
    );
  });

  test('repeats a retrieval after the creation of its user', () => {
    const exchanges = [exchange('POST', '/v1/users', '{}'), exchange('GET', '/v1/users/7')];
    expect(printed([{ ...root, exchanges }])).toMatch(
      /\n {4}repeat {4}curl .*\/v1\/users'\n {4}and then {2}curl .*\/v1\/users\/7'\n/,
    );
  });

  test('has the command that starts the service again, if the run stopped it', () => {
    const exchanges = [exchange('GET', '/v1/users')];
    const report = madeReport([{ ...root, exchanges }]);
    const flags = { start: 'npm start' };
    const text = (stopsService: boolean) =>
      closingText(report, 'reports', screen, 'chapters', {
        program: 'ums',
        flags,
        needs: [],
        stopsService,
      });
    expect(text(true)).toContain(
      "ums --start 'npm start' --only authentication.wrong-key --all-requests --report-dir reports/again\n",
    );
    expect(text(false)).not.toContain('--only');
  });

  test('shows consecutive identical exchanges once', () => {
    const exchanges = ['/a', '/a', '/b', '/a'].map((path) => exchange('GET', path));
    const text = printed([{ ...root, exchanges }]);
    expect(text.match(/^ {4}request .*/gm)?.map((line) => line.slice(-2))).toEqual([
      '/a',
      '/b',
      '/a',
    ]);
  });

  test('has each reason once for requirements that could not be verified without a failure', () => {
    const rows = passed(9, 'List').map((row) => ({
      ...row,
      outcome: 'not-verified' as const,
      reason: 'no response',
    }));
    expect(printed(rows)).toContain(
      '? List 9 not verified\n\nNot verified\n  ? no response\n    list.c0, list.c1, list.c2, list.c3, list.c4 and 4 more',
    );
  });

  test('an obstacle shows its request, and the response unless there was none', () => {
    const open = (reason: string, response: ShownExchange): string =>
      printed(
        [{ slug: 'a.b', outcome: 'not-verified', reason, exchanges: [response] }],
        {},
        { obstacle: reason },
      );
    const rejected = makeExchange({ status: 401, body: 'no' }) as ShownExchange;
    expect(open('the service returns 401 for GET /users', rejected)).toContain(
      '  request   GET /v1/users  authorization: Bearer <API_KEY>\n  response  401 no\n\n  MUST ',
    );
    const lost = madeExchange({ failure: 'connection refused' });
    const text = open('connection refused', lost);
    expect(text).toContain('  request   GET /v1/users\n\n  MUST ');
    expect(text.match(/connection refused/gi)).toHaveLength(1);
  });

  test('--verbose has a line for each requirement, --quiet only the verdict', () => {
    const rows = [...passed(2, 'List'), root];
    expect(printed(rows, { detail: 'all' })).toContain(
      '✓ List 2\n  ✓ MUST   list.c0\n  ✓ MUST   list.c1\n',
    );
    expect(printed(rows, { detail: 'verdict' })).toBe(
      'Verdict: non-conformant. 1 requirement failed: authentication.wrong-key.',
    );
  });

  test('the last line names the failed requirements, or a few of many', () => {
    const failed = (slug: string): MadeRow => ({ ...root, slug });
    const lastOf = (rows: MadeRow[], changes = {}) => printed(rows, {}, changes).split('\n').at(-1);
    expect(lastOf([failed('list.total-integer'), failed('create.name-required')])).toBe(
      'Verdict: non-conformant. 2 requirements failed: list.total-integer, create.name-required.',
    );
    expect(lastOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(failed))).toBe(
      'Verdict: non-conformant. 7 requirements failed: a, b, c, d, e and 2 more.',
    );
    const should = { ...failed('create.location'), level: 'SHOULD' as const };
    expect(lastOf([...passed(1, 'List'), should])).toBe(
      'Verdict: conformant. Every MUST holds. 1 SHOULD failed: create.location.',
    );
    expect(lastOf([should], { strict: true })).toContain('1 requirement failed: create.location.');
  });

  test('a failed SHOULD is one line, and has its details with --verbose and --strict', () => {
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

  test('a known failure is in its chapter, with its reason and link on separate lines', () => {
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
    const text = printed([{ ...root, got }, ...dependents(40, 'List')], { width });
    // A command is copied, so it is not wrapped.
    const lines = text.split('\n').filter((line) => !line.startsWith('    again '));
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(width);
    expect(text).toContain('\n              ');
  });
});

const stream = (isTTY: boolean) =>
  ({ isTTY, columns: 120, hasColors: () => true }) as NodeJS.WriteStream;

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

  test('is off without a terminal', () => {
    const widthOf = (isTTY: boolean) => screenOf(stream(isTTY)).width;
    expect([widthOf(false), widthOf(true)]).toEqual([Number.POSITIVE_INFINITY, 120]);
  });
});

describe('colors', () => {
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
