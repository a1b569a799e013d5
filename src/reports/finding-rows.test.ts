import { describe, expect, test } from 'vitest';
import { makeExchange } from '../../tests/made-history.ts';
import { madeReport } from '../../tests/made-report.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { exchangeRows, type FindingRow } from './finding-rows.ts';
import { findingText } from './finding-text.ts';
import { junit } from './junit.ts';
import { runPage } from './page/run-page.ts';
import { plainScreen } from './screen.ts';
import { markdown } from './summary.ts';

const users = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `u${index}@example.org` }));

/** Makes an exchange whose response is stored as a client stores it: its beginning and its end. */
function listOf(body: string): ShownExchange {
  const response = { bodyBytes: Buffer.byteLength(body) };
  const end = body.length > 2000 ? { bodyEnd: body.slice(-300) } : {};
  const exchange = makeExchange({ body: body.slice(0, 2000), response: { ...response, ...end } });
  return exchange as ShownExchange;
}

const reportOn = (got: string, exchanges: ShownExchange[]) =>
  madeReport([{ slug: 'a.b', outcome: 'failed', expected: 'x', got, reason: 'r', exchanges }]);

const rowsOf = (got: string, exchanges: ShownExchange[]): FindingRow[] =>
  reportOn(got, exchanges).requirements.flatMap(exchangeRows);

describe('the response of a finding', () => {
  const long = JSON.stringify({ data: users(500), total: '500' });
  const got = 'total is "500", a string';

  test('is the part around the wrong value, at the end of a long body', () => {
    const [, response] = rowsOf(got, [listOf(long)]);
    expect(response?.text).toMatch(
      /^200 … .*"email":"u499@example\.org"\}\],"total":"500"\} \(\d+ bytes\)$/,
    );
    expect(response?.text.slice(...(response.mark ?? []))).toBe('"500"');
  });

  test('is the part around the wrong value, further down in a body', () => {
    const body = JSON.stringify({ before: 'x'.repeat(900), name: 42, after: 'y'.repeat(900) });
    const [, response] = rowsOf('42 (a number as name)', [listOf(body)]);
    expect(response?.text).toMatch(/^200 … x{90,}","name":42,"after":"y+… \(\d+ bytes\)$/);
    expect(response?.text.slice(...(response.mark ?? []))).toBe('42');
  });

  test('is its beginning if that has the wrong value, or if the body has none', () => {
    const short = '{"name":42}';
    expect(rowsOf('42 (a number as name)', [listOf(short)])[1]).toMatchObject({
      label: 'response',
      text: `200 ${short}`,
      mark: [12, 14],
    });
    const beginning = `200 ${long.slice(0, 200)}… (${long.length} bytes)`;
    expect(rowsOf('two users', [listOf(long)])[1]).toEqual({
      label: 'response',
      text: beginning,
      isCode: true,
    });
    expect(rowsOf('200 with the list', [listOf(long)])[1]?.mark).toEqual([0, 3]);
  });

  test('has the wrong part in every report', () => {
    const report = reportOn(got, [listOf(long)]);
    const [finding] = report.requirements;
    if (finding === undefined) throw new Error('no finding');
    const texts = [findingText(finding, report, plainScreen(80)), markdown(report)];
    for (const text of texts) expect(text).toContain('"total":"500"}');
    expect(junit(report)).toContain('&quot;total&quot;:&quot;500&quot;}');
    expect(runPage(report)).toContain('&quot;total&quot;:<mark>&quot;500&quot;</mark>} (');
  });

  test('is emphasized where it is wrong', () => {
    const report = reportOn(got, [listOf(long)]);
    const [finding] = report.requirements;
    if (finding === undefined) throw new Error('no finding');
    const paint = (style: string, text: string) => (style === 'bold' ? `*${text}*` : text);
    expect(findingText(finding, report, { paint, width: 80 })).toContain('"total":*"500"*}');
  });
});

test('equal requests in a row are shown once, with the last of their wrong responses', () => {
  const lists = ['1', '2', '3'].map((total) => listOf(`{"data":[],"total":"${total}"}`));
  const got = 'total is "1", a string; total is "2", a string; total is "3", a string';
  expect(rowsOf(got, lists).map(({ label, text }) => [label, text.slice(-5)])).toEqual([
    ['request', '_KEY>'],
    ['response', ':"3"}'],
  ]);
  expect(rowsOf('1, 2, 3', lists).map(({ label }) => label)).toEqual([
    'request',
    'response',
    'response',
    'response',
  ]);
});
