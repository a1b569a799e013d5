import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import type { Yields } from '../../src/plan/evidence.ts';
import { judgeAll } from '../run.ts';
import { start, withPeople } from '../services/service.ts';
import { lookingAtAll } from './looking-at-all.ts';

/** All that a run on a right service has sent, and which of it no service may carry out. */
async function sent(): Promise<Yields> {
  const service = await start(withPeople);
  const { requirements: looksAtAll, yields } = lookingAtAll();
  await judgeAll(service, {}, { requirements: [...requirements, ...looksAtAll] }).finally(service.close);
  return yields();
}

const whole = sent();
const isPlain = ({ request }: Exchange) => request.method === 'POST' && Object.keys(request.headers).length === 3;

test('a run begins with the list and two users, one of which is created while the other is retrieved', async () => {
  const { record } = await whole;
  const begin = record.slice(0, 6);
  expect(begin.map(({ request }) => request.method)).toEqual(['GET', 'POST', 'GET', 'POST', 'GET', 'GET']);
  for (const [one, next] of [
    [0, 1],
    [1, 2],
    [3, 4],
    [3, 5],
  ] as const) {
    const [before, after] = [begin[one], begin[next]];
    if (before && after) expect(after.at).toBeGreaterThanOrEqual(before.at + before.duration - 1);
  }
});

test('what no service carries out is sent when everything is known that it may upset', async () => {
  const run = await whole;
  const firstInvalid = run.record.findIndex((exchange) => run.isInvalid(exchange));
  const proven = run.creations.filter(({ fate, identifier }) => fate === 'must' && identifier !== undefined);
  const before = proven.filter(({ exchange }) => exchange && exchange.id <= firstInvalid);
  expect(before.length).toBeGreaterThan(10);
  expect(run.record.slice(0, firstInvalid).filter(isPlain).length).toBeGreaterThan(10);
});

test('valid requests go out directly after others, of every method, and all are answered', async () => {
  const run = await whole;
  const valid = run.record.filter((exchange) => !run.isInvalid(exchange) && run.invalidBefore(exchange) !== undefined);
  expect(valid.length).toBeGreaterThan(10);
  expect(new Set(valid.map(({ request }) => request.method))).toEqual(new Set(['GET', 'POST']));
  expect(valid.filter(({ response }) => (response?.status ?? 0) >= 300)).toEqual([]);
  expect(run.upsets).toEqual([]);
});

/** The scheme in lower case is sent among credentials that are wrong, but a service should take it. */
const isRight = ({ request }: Exchange) => request.headers.authorization === 'bearer <API_KEY>';

test('requests that no service carries out are all refused by a right one, and create nothing', async () => {
  const run = await whole;
  const invalid = run.record.filter((exchange) => run.isInvalid(exchange) && !isRight(exchange));
  expect(invalid.length).toBeGreaterThan(100);
  expect(invalid.filter(({ response }) => (response?.status ?? 0) < 400)).toEqual([]);
  const refused = run.creations.filter(({ fate, exchange }) => fate === 'must-not' && exchange && !isRight(exchange));
  expect(refused.length).toBeGreaterThan(30);
  expect(refused.filter(({ answered }) => answered !== 'refused')).toEqual([]);
  for (const { ours } of run.looks) expect(refused.filter((creation) => ours.has(creation))).toEqual([]);
});

test('every exchange has an id of its own, in the order of sending', async () => {
  const { record } = await whole;
  expect(record.map(({ id }) => id)).toEqual(record.map((_, index) => index + 1));
});
