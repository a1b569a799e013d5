import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { caseName, type Yields } from '../../src/plan/evidence.ts';
import { plan, round } from '../../src/plan/plan.ts';
import { judgeAll } from '../run.ts';
import { startHere } from '../services/here.ts';
import { type Patch, withPeople } from '../services/service.ts';
import { lookingAtAll } from './looking-at-all.ts';

/** All that a run on a right service has sent, and which of it no service may carry out. */
async function sent(starting = startHere(withPeople)): Promise<Yields> {
  const service = await starting;
  const { requirements: looksAtAll, yields } = lookingAtAll();
  await judgeAll(service, {}, { requirements: [...requirements, ...looksAtAll] }).finally(service.close);
  return yields();
}

const whole = sent();
/** What the suite gives up may be answered all the same. */
const isGivenUp = ({ request }: Exchange) => request.framing === 'aborted';
const isPlain = ({ request }: Exchange) => request.method === 'POST' && Object.keys(request.headers).length === 4;

test('a run begins with the list, and a user who is retrieved before any other is created', async () => {
  const run = await whole;
  const begin = run.record.filter((exchange) => !run.bad.has(exchange.id)).slice(0, 4);
  expect(begin.map(({ request }) => request.method)).toEqual(['GET', 'POST', 'GET', 'POST']);
  for (const [index, before] of begin.slice(0, 3).entries()) {
    expect(begin[index + 1]?.at).toBeGreaterThanOrEqual(before.at + before.duration - 1);
  }
});

test('the list of one user is fetched where nobody else is there', async () => {
  const { looks } = await sent(startHere());
  expect(looks.slice(0, 2).map(({ total }) => total)).toEqual([0, 1]);
});

test('no more than nine answers are waited for in a row', async () => {
  const { patch, rounds } = answeringInRounds();
  await sent(startHere(withPeople, patch));
  expect(rounds()).toBeLessThanOrEqual(9);
  expect(rounds()).toBeGreaterThan(5);
});

/**
 * Longer than any pause between requests of which none waits for the answer to another; and how many such pauses may
 * follow one another.
 */
const PAUSE_MS = 20;
const PAUSES = 6;

/**
 * Answers nothing until all is there that goes out before an answer comes, and then all of it: what is waited for in a
 * row is the number of these rounds. The suite is in this process: however busy the machine is, a shorter pause that
 * began before one of these ends before it.
 */
function answeringInRounds(): { patch: Patch; rounds: () => number } {
  let rounds = 0;
  const held: (() => void)[] = [];
  const endRound = async () => {
    for (let [size, quiet] = [0, 0]; quiet < PAUSES; quiet += 1) {
      await sleep(PAUSE_MS);
      for (let turns = 0; turns < 50; turns += 1) await setImmediate();
      if (held.length > size) quiet = 0;
      size = held.length;
    }
    rounds += 1;
    for (const answer of held.splice(0)) answer();
  };
  const patch: Patch = (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      await new Promise<void>((answer) => {
        if (held.push(answer) === 1) void endRound();
      });
      return handle(request);
    };
  };
  return { patch, rounds: () => rounds };
}

test('what no service carries out goes out before the first creation, too: the list, nobody, and another creation', async () => {
  const run = await whole;
  const early = run.record.slice(
    0,
    run.record.findIndex(({ id, request }) => request.method === 'POST' && !run.bad.has(id)),
  );
  const bad = early.filter((exchange) => run.bad.has(exchange.id)).map(({ request }) => request);
  expect(bad.map(({ method, path }) => `${method} ${path.split('/').length}`)).toEqual(['GET 3', 'GET 4', 'POST 3']);
  expect(bad.map(({ headers }) => headers.authorization === 'Bearer <API_KEY>')).toEqual([false, true, false]);
});

test('all else that no service carries out is sent when everything is known that it may upset', async () => {
  const run = await whole;
  const firstCreation = run.record.findIndex(({ id, request }) => request.method === 'POST' && !run.bad.has(id));
  const firstInvalid = run.record.findIndex((exchange, at) => at > firstCreation && run.bad.has(exchange.id));
  const proven = run.creations.filter(({ fate, identifier }) => fate === 'must' && identifier !== undefined);
  const before = proven.filter(({ exchange }) => exchange && exchange.id <= firstInvalid);
  expect(before.length).toBeGreaterThan(8);
  expect(run.record.slice(0, firstInvalid).filter(isPlain).length).toBeGreaterThan(10);
});

test('one of each kind of user whom no service makes is asked for before anything else that no service carries out', async () => {
  const run = await whole;
  const refused = run.creations.filter(({ what, fate }) => fate === 'must-not' && !what.endsWith('at the end'));
  const asked = refused.filter(({ what }, index) => refused.findIndex((one) => one.what === what) === index);
  const nobody = run.record.find(({ request }) => request.path.endsWith('/users/undefined'));
  expect(asked.length).toBeGreaterThan(30);
  for (const { what, exchange } of asked) expect(exchange?.id, what).toBeLessThan(nobody?.id ?? 0);
});

test('each operation goes out after bad requests, on the connection of these, and is answered', async () => {
  const run = await whole;
  const last = new Map<string, Exchange>();
  const after = run.record.flatMap((exchange) => {
    const { connection = 'kept' } = exchange.request;
    const before = last.get(connection);
    last.set(connection, exchange);
    return connection.startsWith('lane ') && before && run.bad.has(before.id) ? [exchange] : [];
  });
  expect(after.filter(({ request }) => request.method === 'POST').length).toBeGreaterThan(4);
  expect(after.filter(({ request }) => request.path === '/v1/users').length).toBeGreaterThan(5);
  expect(after.length).toBeGreaterThan(10);
  expect(after.filter((exchange) => run.bad.has(exchange.id) || (exchange.response?.status ?? 0) >= 300)).toEqual([]);
});

test('after the last malformed request nothing goes out but what is valid: whatever comes next shows what it leaves', async () => {
  const run = await whole;
  const { record } = run;
  const last = record.findLastIndex((exchange) => run.bad.has(exchange.id));
  expect(record[last]?.request).toMatchObject({ method: 'POST', body: '{}' });
  expect(record.length - last).toBeGreaterThan(1);
});

/**
 * The scheme in another case is sent among credentials that are wrong, but a service should take it; an Accept is no
 * order, nor is a query.
 */
const isRight = ({ request: { path, headers } }: Exchange) =>
  /^(bearer|BEARER) <API_KEY>$/.test(headers.authorization ?? '') ||
  headers.accept === 'text/html' ||
  path.includes('?page=1&');

test('requests that no service carries out are all refused by a right one, and create nothing', async () => {
  const run = await whole;
  const bad = run.record.filter((exchange) => run.bad.has(exchange.id) && !isRight(exchange));
  const invalid = bad.filter((exchange) => !isGivenUp(exchange));
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

test('steps have names of their own, and so have the cases of each: a run that is kept has them by these', () => {
  const names = [...plan, ...round].flat().map(({ name }) => name);
  expect(new Set(names).size).toBe(new Set([...plan, ...round].flat()).size);
  const all = requirements.flatMap(({ evidence }) => Object.values(evidence).flatMap(({ cases }) => cases));
  const named = new Map<string, unknown>();
  for (const [step, one] of all) {
    const name = `${step.name}: ${caseName(one)}`;
    expect(named.get(name) ?? one, name).toBe(one);
    named.set(name, one);
  }
});
