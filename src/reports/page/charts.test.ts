import { expect, test } from 'vitest';
import { type MadeRow, madeExchange, madeReport } from '../../../tests/made-report.ts';
import type { ShownExchange } from '../../http/exchange.ts';
import { outcomesChart, timesChart, timesOf } from './charts.ts';

const BASE = 'http://127.0.0.1:3000/v1';

/** Makes an exchange that starts at `at`, in milliseconds. */
function exchange(
  method: 'GET' | 'POST',
  path: string,
  at: number,
  duration: number,
  status = 200,
): ShownExchange {
  const request = { method, path, headers: {} };
  const response = {
    status,
    headers: [],
    body: '',
    bodyBytes: 0,
    byteOrderMark: false,
    keyInBody: false,
    keyInHeader: false,
  };
  return madeExchange({ id: at, request, response, at, duration });
}

test('the times of 2xx responses are grouped by operation, alone or concurrent', () => {
  const exchanges = [
    exchange('POST', '/v1/users', 0, 5, 201),
    exchange('GET', '/v1/users?page=2', 10, 30),
    exchange('GET', '/v1/users/7', 20, 4),
    exchange('GET', '/v1/users/8', 60, 3),
    exchange('GET', '/v1/users/9', 70, 3, 404),
    exchange('GET', '/v2/users', 80, 3),
  ];
  expect(timesOf(exchanges, BASE)).toEqual([
    { operation: 'create', mode: 'alone', times: [5] },
    { operation: 'list', mode: 'concurrent', times: [30] },
    { operation: 'retrieve', mode: 'alone', times: [3] },
    { operation: 'retrieve', mode: 'concurrent', times: [4] },
  ]);
});

test('the chart of response times has an axis with a unit, and a description', () => {
  const traced = [2, 8, 2000].map((duration, index) => ({
    exchange: exchange('GET', '/v1/users', index * 5000, duration),
    requirements: [],
  }));
  const svg = `${timesChart(traced, BASE)}`;
  expect(svg).toContain('list, alone: median 8 ms, longest 2 s, of 3 requests.</desc>');
  const ticks = [...svg.matchAll(/<text class="tick"[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(ticks).toEqual(['1 ms', '10 ms', '100 ms', '1 s', '10 s', 'response time, logarithmic']);
  expect(timesChart([], BASE)).toBe(false);
});

test('the chart of outcomes has a bar for each chapter, with a symbol for each outcome', () => {
  const rows: MadeRow[] = [
    { slug: 'a.one', chapter: 'A <b>', outcome: 'failed' },
    { slug: 'a.two', chapter: 'A <b>' },
    { slug: 'b.one', chapter: 'B', outcome: 'not-applicable' },
  ];
  const svg = `${outcomesChart(madeReport(rows))}`;
  expect(svg).toContain('A &lt;b&gt;: 1 failed, 1 passed. B: 1 not applicable.</desc>');
  const marks = [...svg.matchAll(/<text class="mark"[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(marks).toEqual(['✗', '✓', '–']);
});
