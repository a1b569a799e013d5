import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { madeReport } from '../../../tests/made-report.ts';
import type { ShownExchange } from '../../http/exchange.ts';
import { OUTCOMES, type Report } from '../report.ts';
import { bodyLines, namedIn } from './body.ts';
import { PAGE_LIMIT } from './bounds.ts';
import { clockOf } from './clock.ts';
import { chosen, lanesOf } from './lanes.ts';
import { runPage } from './run-page.ts';
import { timesOf } from './times.ts';
import { marks } from './units.ts';

function exchange(id: number, text: string, changes: Partial<ShownExchange> = {}): ShownExchange {
  return {
    id,
    request: {
      method: 'POST',
      path: `/v1/users/${encodeURIComponent(text)}`,
      headers: { accept: text, authorization: 'Bearer <API_KEY>' },
      body: text,
    },
    response: {
      status: 200,
      headers: Array.from({ length: 200 }, () => [text, text]),
      body: text.padEnd(2000, '.').slice(0, 2000),
      bodyBytes: 2_000_000,
      byteOrderMark: false,
      keyInBody: false,
      keyInHeader: false,
    },
    at: id,
    duration: 7,
    wait: 5,
    attempts: 1,
    ...changes,
  } as ShownExchange;
}

/** A report of every outcome with a text wherever it may have one. */
function filledWith(text: string): Report {
  const rows = OUTCOMES.map((outcome) => ({
    slug: `chapter.${outcome}`,
    sentence: `${text} holds.`,
    outcome,
    reason: outcome === 'passed' ? '' : `${outcome} ${text}`,
    ...((outcome === 'failed' || outcome === 'known-failure') && { expected: text, got: text }),
  }));
  const observations = { [text]: [text, text] };
  const report = madeReport(rows, {
    target: { name: text, baseUrl: 'http://127.0.0.1:3000/v1', embeddedReference: false },
    tally: { start: 0, tag: text, requests: 1, usersCreated: 1, observations },
  });
  const requirements = report.requirements.map((one) => ({
    ...one,
    source: { text, url: 'https://example.com/', rule: text },
    exchanges:
      one.outcome === 'passed'
        ? []
        : [1, 2, 3, 4, 5].map((id) => exchange(id, text)).concat(exchange(6, text, { failure: text })),
  }));
  return { ...report, because: text, requirements };
}

function traced(text: string, count: number) {
  const one = exchange(1, text);
  return Array.from({ length: count }, (_, index) => ({
    exchange: { ...one, id: index + 1, at: index },
    requirements: ['list.answers', 'list.shape'],
  }));
}

test('nothing that a report says is markup in the page', () => {
  const nasty = `"'></td></pre></style></svg><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\u001b[2J\u202e`;
  const tags = (text: string) =>
    [...runPage(filledWith(text), traced(text, 3)).matchAll(/<[^>]*>/g)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, ''));
  expect(tags(nasty)).toEqual(tags('plain'));
  const page = runPage(filledWith(nasty), traced(nasty, 3));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
});

test('loads nothing, and by its policy applies its own style and script alone', () => {
  const page = runPage(filledWith('plain'), traced('plain', 3));
  expect(page).not.toMatch(/<(link|img|iframe|object|base)\b|\bsrc=|url\(|@import|\bstyle=|\bon\w+=/i);
  const hash = (name: string) => {
    const contents = [...page.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(
      ([, content = '']) => content,
    );
    expect(contents).toHaveLength(1);
    return createHash('sha256').update(`${contents}`).digest('base64');
  };
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash('style')}'; script-src 'sha256-${hash('script')}'; base-uri 'none'; form-action 'none'`,
  );
});

test('shows of each outcome what there is to it', () => {
  const page = runPage(filledWith('some text'), traced('some text', 3));
  const [, ...rows] = page.split('<li class="requirement ');
  const row = (kind: string) => rows.find((one) => one.startsWith(`${kind} MUST"`)) ?? '';
  expect(row('failed')).toContain(
    '<dt>expected</dt><dd><span class="value">some text</span></dd><dt>got</dt><dd><span class="value">some text</span>',
  );
  expect(row('failed')).toContain('<details open><summary>6 exchanges</summary>');
  expect(row('failed')).toContain('curl -sS -i');
  expect(row('failed')).toContain('2 more: conformance.json has them.');
  expect(row('failed')).toContain('(180 further headers)');
  expect(row('failed')).toContain('… (2000000 bytes)');
  expect(row('known-failure')).toContain('<details><summary>6 exchanges</summary>');
  expect(row('not-verified')).toContain('not-verified some text</span></dd>');
  expect(row('not-applicable')).toContain('not-applicable some text</span></dd>');
  expect(row('passed')).not.toMatch(/<dl|<details/);
});

test('stays small whatever a target sends, and says what is left out', () => {
  const text = '"<&>'.repeat(500);
  const rows = Array.from({ length: 75 }, (_, index) => ({
    slug: `chapter.requirement-${index}`,
    outcome: 'failed' as const,
    reason: text,
    expected: 'what holds',
    got: text,
  }));
  const report = madeReport(rows, {
    tally: {
      start: 0,
      tag: 'x',
      requests: 1,
      usersCreated: 1,
      observations: { identifier: Array.from({ length: 500 }, () => text) },
    },
  });
  const exchanges = [1, 2, 3, 4, 5, 6].map((id) => exchange(id, text));
  const requirements = report.requirements.map((one) => ({ ...one, exchanges }));
  const page = runPage({ ...report, requirements }, traced(text, 20_000));
  expect(Buffer.byteLength(page)).toBeLessThan(PAGE_LIMIT);
  expect(page).toContain('20000 requests in 20.006 s, at most 7 at the same time.');
  expect(page).toContain('100 of the 20000 requests as a table');
  const columns = [...page.matchAll(/<rect class="[^"]*" x[^>]*><title>(\d+)<\/title>/g)].map(([, count]) =>
    Number(count),
  );
  expect(columns.reduce((sum, count) => sum + count, 0)).toBe(20_000);
  expect(page).toContain('492 further values: conformance.json');
  expect(page).toContain('(200 headers)');
});

test('requests lie in lanes, and none overlaps another', () => {
  const spans = [
    { at: 0, duration: 10 },
    { at: 5, duration: 10 },
    { at: 10, duration: 2 },
    { at: 12, duration: 9 },
    { at: 14, duration: 1 },
  ];
  expect(lanesOf(spans)).toEqual([0, 1, 0, 0, 2]);
});

test('of many requests those that tell most are shown, in the order of time', () => {
  const record = Array.from({ length: 1000 }, (_, index) => exchange(index + 1, 'x'));
  const { response: _, ...unanswered } = exchange(700, 'x');
  record[699] = unanswered;
  record[800] = exchange(801, 'x', { duration: 99 });
  const ids = chosen(record, 100, new Set([3])).map(({ id }) => id);
  expect(ids).toHaveLength(100);
  expect(ids).toEqual(expect.arrayContaining([3, 700, 801]));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(ids.filter((id) => id > 500).length).toBeGreaterThan(20);
  expect(chosen(record, 1000, new Set())).toHaveLength(1000);
});

test('answer times are told apart by operation, wherever the base address is', () => {
  const get = (id: number, path: string, duration: number) =>
    exchange(id, 'x', { request: { method: 'GET', path, headers: {} }, duration });
  const record = [
    get(1, '/api/v1/users', 9),
    get(2, '/api/v1/users', 3),
    get(3, '/api/v1/users/1', 4),
    get(4, '/v1/users', 5),
    exchange(5, 'x', { request: { method: 'POST', path: '/api/v1/users', headers: {} } }),
  ];
  for (const basePath of ['/api/v1', '/api/v1/']) {
    expect(timesOf(record, basePath)).toEqual([
      { operation: 'List users', durations: [3, 9], slowest: 1 },
      { operation: 'Create a user', durations: [7], slowest: 5 },
      { operation: 'Retrieve a user', durations: [4], slowest: 3 },
      { operation: 'Other addresses', durations: [5], slowest: 4 },
    ]);
  }
});

test('the marks of an axis are round, and few', () => {
  expect(marks(945, 6)).toEqual([0, 200, 400, 600, 800]);
  expect(marks(1, 6)).toEqual([0, 1]);
  expect(marks(120_000, 6)).toEqual([0, 20_000, 40_000, 60_000, 80_000, 100_000, 120_000]);
});

test('a run without any exchange has a page, too', () => {
  expect(runPage(madeReport([]), [])).toContain('Nothing was answered.');
});

test('a JSON body is indented and keeps its characters; no other body changes', () => {
  expect(bodyLines('{"a":[],"b":{"c":1e2,"d":"x, {y}\\""},"e":73786976294838210001}')).toEqual([
    ...['{', '  "a": [],', '  "b": {', '    "c": 1e2,', '    "d": "x, {y}\\""', '  },'],
    ...['  "e": 73786976294838210001', '}'],
  ]);
  expect(bodyLines('{"a": }')).toEqual(['{"a": }']);
  expect(bodyLines('{"a":"b', true)).toEqual(['{', '  "a": "b']);
  expect(bodyLines('plain\ntext')).toEqual(['plain', 'text']);
});

test('what a finding names is marked in the answer', () => {
  expect([...namedIn('201 for POST /users with a wrong key; 42 (a number as name)')]).toEqual(['201', '42']);
  const page = runPage(
    {
      ...filledWith('plain'),
      requirements: filledWith('plain').requirements.map((one) => ({
        ...one,
        got: '200; "x" (a text)',
        exchanges: one.exchanges.map((its) => ({
          ...its,
          ...(its.response && { response: { ...its.response, headers: [], body: '{"a":"x"}', bodyBytes: 9 } }),
        })),
      })),
    },
    [],
  );
  expect(page).toContain('<mark>200 OK</mark>');
  expect(page).toContain('&quot;a&quot;: <mark>&quot;x&quot;</mark>');
});

test('a long pause is folded, and what follows keeps its order and its length', () => {
  const { place, pauses } = clockOf([
    { at: 0, duration: 100 },
    { at: 60_100, duration: 100 },
  ]);
  expect(pauses).toEqual([{ from: 100, to: 60_100 }]);
  expect([0, 100, 60_100, 60_200].map((at) => Math.round(place(at) * 100))).toEqual([0, 49, 51, 100]);
  expect(clockOf([{ at: 400, duration: 100 }]).pauses).toEqual([]);
});

test('says which finding to fix first, and by which commands it is seen again', () => {
  const baseUrl = "http://127.0.0.1/$(id)'/v1";
  const rows = [
    { slug: 'a.leaf', outcome: 'failed' as const, got: '200 for GET /users' },
    { slug: 'a.root', outcome: 'failed' as const, got: '500; 501; 502' },
    { slug: 'a.one', outcome: 'not-verified' as const, needs: 'a.root' },
  ];
  const page = runPage(madeReport(rows, { target: { name: 'A', baseUrl, embeddedReference: false } }), []);
  expect(page).toMatch(/Fix <a href="#a.root">.*<\/a> first: 1 requirement could not be judged because of it/);
  expect(page).toContain('reproduce a.root --base-url &#39;http://127.0.0.1/$(id)&#39;\\&#39;&#39;/v1&#39;');
  expect(page).toContain('<p class="came">200 for GET /users</p>');
  expect(page).toContain('<p class="came">500; 501 and 1 more</p>');
  expect(runPage(madeReport([{ slug: 'a.one' }]), [])).not.toContain('reproduce');
});
