import { expect, test } from 'vitest';
import {
  makeCreation,
  makeExchange,
  makeHistory,
  makeList,
  makeRead,
} from '../../tests/made-history.ts';
import { secretsOf } from '../http/secrets.ts';
import { parseJson, textOf } from '../http/value.ts';
import type { Creation } from './creation.ts';
import { readHistory, type WrittenHistory, writeHistory } from './file.ts';
import type { History } from './history.ts';

const USER = { email: 'ada@example.com', name: 'Ada' };

const API_KEY = 'k3y-Of.the~Service_0815';

const secrets = secretsOf({ apiKey: API_KEY });

/** Writes a history as JSON and reads it back. */
const rewrite = (history: History): History =>
  readHistory(JSON.parse(JSON.stringify(writeHistory(history, secrets))));

/** A history with one creation whose user shows a record. */
function historyWith(record: Record<string, unknown>): History {
  const exchange = makeExchange({ status: 201 });
  const read = makeRead(record, { exchange: makeExchange() });
  const creation = makeCreation(USER, { exchange, reads: [read] });
  return makeHistory({ exchanges: [exchange, read.exchange], creations: [creation] });
}

const recordOf = ({ creations }: History) => creations[0]?.reads[0]?.record;

test('a history stays the same when it is written and read', () => {
  const history = historyWith({ id: '7', ...USER });
  expect(rewrite(history)).toEqual(history);
});

test('an exchange stays one object in all its places', () => {
  const { exchanges, creations } = rewrite(historyWith(USER));
  expect(creations[0]?.exchange).toBe(exchanges[0]);
  expect(creations[0]?.reads[0]?.exchange).toBe(exchanges[1]);
});

test('a creation and a list stay one object in all their places', () => {
  const history = historyWith(USER);
  const list = makeList({ ours: [{ creation: history.creations[0] as Creation, items: [] }] });
  const { creations, lists, first, firstUsers } = rewrite({
    ...history,
    lists: [list],
    first: list,
    firstUsers: history.creations,
  });
  expect(first).toBe(lists[0]);
  expect(firstUsers[0]).toBe(creations[0]);
  expect(lists[0]?.ours[0]?.creation).toBe(creations[0]);
});

test('a key in the digits of numbers is hidden', () => {
  const apiKey = '4711081512345678';
  const record = {
    id: Number(apiKey),
    bytes: [...Buffer.from(apiKey)],
    others: [1, 300],
    none: [],
  };
  const text = JSON.stringify(writeHistory(historyWith(record), secretsOf({ apiKey })));
  expect(text).not.toContain(apiKey);
  expect(text).not.toContain('52,55,49');
  expect(text).toContain('"others":[1,300],"none":[]');
});

test('a number keeps its digits', () => {
  const record = parseJson('{"id":9007199254740993}') as Record<string, unknown>;
  expect(textOf(recordOf(rewrite(historyWith(record)))?.id)).toBe('9007199254740993');
});

test('members may have any name', () => {
  const record = { $number: '1', $exchange: 2, $$x: 3, constructor: 'x', toString: 'y' };
  expect(recordOf(rewrite(historyWith(record)))).toEqual(record);
});

test('a member __proto__ changes no prototype', () => {
  const record = JSON.parse('{"__proto__":{"isAdmin":true},"id":"7"}');
  const copy = recordOf(rewrite(historyWith(record)));
  expect(copy).toEqual({ id: '7' });
  expect(copy).not.toHaveProperty('isAdmin');
});

test('no text contains the key, not even the name of a member', () => {
  const history = historyWith({ name: `my ${API_KEY}`, [`a ${API_KEY}`]: 1 });
  expect(JSON.stringify(writeHistory(history, secrets))).not.toContain(API_KEY);
});

const withCreation = (creation: object): object => ({
  ...writeHistory(makeHistory(), secrets),
  creations: [creation],
});

test.each<[object, string]>([
  [{}, 'its exchanges are missing'],
  [{ exchanges: [1] }, 'its exchanges are missing'],
  [{ exchanges: [] }, 'its creations are missing'],
  [withCreation({ exchange: { $exchange: 3 } }), 'it has no exchange 3'],
  [withCreation({ missingIn: { $list: 0 } }), 'it has no list 0'],
])('%j is not a history', (written, message) => {
  expect(() => readHistory(written as WrittenHistory)).toThrow(new TypeError(message));
});
