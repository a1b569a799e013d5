import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { madeExchange, madeReport } from '../../../tests/made-report.ts';
import type { ShownExchange } from '../../http/exchange.ts';
import { bodyLines } from '../exchange-text.ts';
import type { Report } from '../report.ts';
import { valuesNamedIn } from '../wrong-part.ts';
import { runPage } from './run-page.ts';

function exchange(id: number, text: string, changes: Partial<ShownExchange> = {}): ShownExchange {
  return madeExchange({
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
    ...changes,
  });
}

/** Makes a report of every outcome with a text in every place that may have text. */
function filledWith(text: string): Report {
  const outcomes = ['passed', 'failed', 'not-applicable', 'not-verified', 'known-failure'] as const;
  const rows = outcomes.map((outcome) => ({
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
  const requirements = report.requirements.map((requirement) => ({
    ...requirement,
    source: { text, url: 'https://example.com/', rule: text },
    repeat: [`curl ${text}`],
    exchanges:
      requirement.outcome === 'passed'
        ? []
        : [1, 2, 3, 4, 5]
            .map((id) => exchange(id, text))
            .concat(exchange(6, text, { failure: text })),
  }));
  return { ...report, because: text, requirements };
}

test('text of a report is never markup on the page', () => {
  const nasty = `"'></td></pre></style></svg><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\u001b[2J\u202e`;
  const tags = (text: string) =>
    [...runPage(filledWith(text)).matchAll(/<[^>]*>/g)].map(([tag]) =>
      tag.replaceAll(/"[^"]*"/g, ''),
    );
  expect(tags(nasty)).toEqual(tags('plain'));
  const page = runPage(filledWith(nasty));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the page must not contain them
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
});

test('the page loads nothing, and its policy allows only its own style', () => {
  const page = runPage(filledWith('plain'));
  expect(page).not.toMatch(
    /<(link|img|iframe|object|base)\b|\bsrc=|url\(|@import|\bstyle=|\bon\w+=/i,
  );
  const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, content = '']) => content);
  expect(styles).toHaveLength(1);
  const hash = createHash('sha256').update(`${styles}`).digest('base64');
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  );
  expect(page).not.toContain('<script');
});

test('each outcome has its own details', () => {
  const page = runPage(filledWith('some text'));
  const [, ...rows] = page.split('<li class="requirement ');
  const row = (kind: string) => rows.find((text) => text.startsWith(`${kind} `)) ?? '';
  expect(row('failed')).toMatch(
    /<th scope="row">expected<\/th><td><div>some text<\/div><\/td><\/tr>\s*<tr><th scope="row">got<\/th><td><div>some text</,
  );
  expect(row('failed')).toContain(
    '<th scope="row">request</th><td><code>POST /v1/users/some%20text',
  );
  expect(row('failed')).toMatch(
    /<th scope="row">response<\/th><td><code>200 some text\.+… \(2000000 bytes\)</,
  );
  expect(row('failed')).toContain('<details class="exchange"><summary>Request 6: POST');
  expect(row('failed')).toContain('<details class="exchange"><summary>Request 5: POST');
  expect(row('failed')).toContain('<code>curl some text</code>');
  expect(row('failed')).toContain('(180 more headers)');
  expect(row('failed')).toContain('… (2000000 bytes)');
  expect(row('known-failure')).toContain('<details class="exchange"><summary>Request 6: POST');
  expect(row('not-verified')).toContain('not-verified some text</div></td>');
  expect(row('not-applicable')).toContain('not-applicable some text</div></td>');
  expect(row('passed')).not.toMatch(/<table|<details/);
});

test('the page stays small whatever a target sends, and has a note in place of omitted parts', () => {
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
  const requirements = report.requirements.map((requirement) => ({ ...requirement, exchanges }));
  const page = runPage({ ...report, requirements });
  expect(Buffer.byteLength(page)).toBeLessThan(300_000);
  expect(page).toContain('500 values: see conformance.json');
  expect(page).toContain('Request 6: see conformance.json.');
});

test('a JSON body is indented with its characters unchanged, and no other body changes', () => {
  expect(bodyLines('{"a":[],"b":{"c":1e2,"d":"x, {y}\\""},"e":73786976294838210001}')).toEqual([
    '{',
    '  "a": [],',
    '  "b": {',
    '    "c": 1e2,',
    '    "d": "x, {y}\\""',
    '  },',
    '  "e": 73786976294838210001',
    '}',
  ]);
  expect(bodyLines('{"a": }')).toEqual(['{"a": }']);
  expect(bodyLines('{"a":"b', true)).toEqual(['{', '  "a": "b']);
  expect(bodyLines('plain\ntext')).toEqual(['plain', 'text']);
});

test('a finding shows the unchanged text of a body', () => {
  const got = '["$own"]; {"a":"`x`; $& %s"}';
  const page = runPage(madeReport([{ slug: 'a.b', outcome: 'failed', expected: 'a list', got }]));
  const [, cell = ''] = /got<\/th><td>(.*?)<\/td>/.exec(page) ?? [];
  const text = cell
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  expect(text).toBe(got);
});

test('values that a finding names are marked in the response', () => {
  expect([...valuesNamedIn('201 for POST /users with a wrong key; 42 (a number as name)')]).toEqual(
    ['201', '42'],
  );
  const report = filledWith('plain');
  const withBody = ({ response, ...rest }: ShownExchange): ShownExchange => ({
    ...rest,
    ...(response && { response: { ...response, headers: [], body: '{"a":"x"}', bodyBytes: 9 } }),
  });
  const requirements = report.requirements.map((requirement) => ({
    ...requirement,
    got: '200; "x" (a text)',
    exchanges: requirement.exchanges.map(withBody),
  }));
  const page = runPage({ ...report, requirements });
  expect(page).toContain('<mark>200 OK</mark>');
  expect(page).toContain('&quot;a&quot;: <mark>&quot;x&quot;</mark>');
  expect(page).toContain('<code><mark>200</mark> {&quot;a&quot;:&quot;x&quot;}</code>');
});

test('the page names the finding to fix first, and the commands to check it', () => {
  const baseUrl = "http://127.0.0.1/$(id)'/v1";
  const rows = [
    { slug: 'a.leaf', outcome: 'failed' as const, got: '200 for GET /users' },
    { slug: 'a.root', outcome: 'failed' as const, got: '500; 501; 502' },
    { slug: 'a.one', outcome: 'not-verified' as const, needs: 'a.root' },
  ];
  const page = runPage(
    madeReport(rows, { target: { name: 'A', baseUrl, embeddedReference: false } }),
  );
  expect(page).toMatch(/Fix <a href="#a.root">.*<\/a> first/);
  expect(page).toContain('1 not verified: it depends on a.root');
  expect(page).toContain(
    '--base-url &#39;http://127.0.0.1/$(id)&#39;\\&#39;&#39;/v1&#39; --only a.root --repeat 10',
  );
  expect(page.match(/id="a\.root"/g)).toHaveLength(1);
  expect(page).toContain(
    '<li class="failed MUST"><strong class="red">✗ failed</strong> MUST <a href="#a.root">',
  );
  expect(runPage(madeReport([{ slug: 'a.one' }]))).not.toContain('--repeat');
});

const nextIn = (page: string) => {
  const [, part = ''] = /<h3>Next<\/h3>(.*?)<\/ol>/s.exec(page) ?? [];
  return part.replaceAll(/<(?!\/?li)[^>]*>/g, '').trim();
};

test('a failed SHOULD alone is not named as the first to fix', () => {
  const should = { slug: 'a.should', level: 'SHOULD' as const, outcome: 'failed' as const };
  const lenient = nextIn(runPage(madeReport([{ slug: 'a.one' }, should])));
  expect(lenient).not.toContain('Fix ');
  expect(lenient).toContain('--only a.should --repeat 10');
  const strict = nextIn(runPage(madeReport([should], { strict: true })));
  expect(strict).toContain('<li>Fix a.should.</li>');
  expect(strict).toContain('--strict');
});

test('after the deadline passed, the page names a higher deadline instead of a fix', () => {
  const open = { outcome: 'not-verified' as const, reason: 'the deadline of the run has passed' };
  const rows = [
    { slug: 'a.failed', outcome: 'failed' as const },
    { slug: 'a.open', ...open },
  ];
  const page = runPage(madeReport(rows, { duration: 600_100 }));
  expect(page).toContain('✗ non-conformant (deadline passed)');
  expect(nextIn(page)).toContain(
    '<li>The deadline passed: raise CONFORMANCE_DEADLINE_MS to 1201000.</li>',
  );
  expect(nextIn(page)).toMatch(/Make the same run again:.* --deadline 1201000/);
  expect(nextIn(page)).not.toContain('Fix ');
});

test('the page has guides to failed requirements only', () => {
  const rows = [{ slug: 'a.failed', outcome: 'failed' as const }, { slug: 'a.passed' }];
  const guides = {
    'a.failed': { html: '<h3>Why</h3>\n<p>It <em>failed</em>.</p>\n' },
    'a.passed': { html: 'It passed.' },
  };
  const page = runPage(madeReport(rows), { guides });
  expect(page).toContain(`${guides['a.failed'].html}</details>`);
  expect(page).not.toContain('It passed.');
});

test('the guide of the first finding is open', () => {
  const rows = ['a.first', 'a.second'].map((slug) => ({ slug, outcome: 'failed' as const }));
  const guides = { 'a.first': { html: '<p>One.</p>' }, 'a.second': { html: '<p>Two.</p>' } };
  const page = runPage(madeReport(rows), { guides });
  expect(page).toMatch(/<details class="guide" open><summary>.*<\/summary>\n<p>One\.<\/p>/);
  expect(page).toMatch(/<details class="guide"><summary>.*<\/summary>\n<p>Two\.<\/p>/);
});

test('the page has a limited number of guides, and the command for the others', () => {
  const guide = { html: `<p>A reason.</p>${'x'.repeat(4000)}` };
  const slugs = Array.from({ length: 80 }, (_, index) => `chapter.requirement-${index}`);
  const report = madeReport(slugs.map((slug) => ({ slug, outcome: 'failed' as const })));
  const page = runPage(report, { guides: Object.fromEntries(slugs.map((slug) => [slug, guide])) });
  expect(page.match(/<p>A reason\.<\/p>/g)?.length).toBeGreaterThan(10);
  expect(page).toContain('explain chapter.requirement-79</code>');
  expect(page.length).toBeLessThan(150_000);
});
