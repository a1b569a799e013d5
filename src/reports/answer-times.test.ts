import { expect, test } from 'vitest';
import type { ShownExchange } from '../http/exchange.ts';
import { answerTimes } from './answer-times.ts';

/** Exchanges by when they were on the wire and how long their answers took. */
const exchanges = (spans: [at: number, duration: number][]): ShownExchange[] =>
  spans.map(([at, duration], index) => ({
    id: index + 1,
    request: { method: 'GET', path: '/v1/users', headers: {} },
    response: {
      status: 200,
      headers: [],
      body: '',
      bodyBytes: 0,
      byteOrderMark: false,
      keyInBody: false,
      keyInHeader: false,
    },
    at,
    duration,
    attempts: 1,
  })) as unknown as ShownExchange[];

const inARow = Array.from({ length: 5 }, (_, index): [number, number] => [index * 10, 2 + index]);
const together = Array.from({ length: 40 }, (_, index): [number, number] => [100, 10 + index]);

test('answers that waited for many others are told from those that did not', () => {
  const { median, quiet, slowest } = answerTimes(exchanges([...inARow, ...together]));
  expect(quiet).toEqual({ median: 4, answers: 5 });
  expect(median).toBe(27);
  expect(slowest.map(({ duration }) => duration)).toEqual([49, 48, 47]);
});

test('four others are few, five are not; one that begins when another ends is not beside it', () => {
  const beside = (count: number) => Array.from({ length: count }, (): [number, number] => [0, 10]);
  expect(answerTimes(exchanges(beside(5))).quiet).toEqual({ median: 10, answers: 5 });
  expect(answerTimes(exchanges(beside(6)))).not.toHaveProperty('quiet');
  const chain = Array.from({ length: 20 }, (_, index): [number, number] => [index * 10, 10]);
  expect(answerTimes(exchanges([...chain, ...chain, ...chain, ...chain, ...chain])).quiet?.answers).toBe(100);
});

test('where nothing was answered there are no times, and of few answers no quiet ones', () => {
  expect(answerTimes([])).toEqual({ slowest: [] });
  expect(answerTimes(exchanges([[0, 3]]))).toMatchObject({ median: 3 });
  expect(answerTimes(exchanges([[0, 3]]))).not.toHaveProperty('quiet');
});
