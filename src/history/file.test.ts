import { expect, test } from 'vitest';
import { makeCreation, makeExchange, makeHistory, makeRead } from '../../tests/made-history.ts';
import { parseJson, textOf } from '../http/value.ts';
import { readHistory, type WrittenHistory, writeHistory } from './file.ts';
import type { History } from './history.ts';

const USER = { email: 'ada@example.com', name: 'Ada' };

const secrets = {
  shown: (exchange: object) => exchange,
  redact: (text: string) => text.replaceAll('secret', '<API_KEY>'),
} as unknown as Parameters<typeof writeHistory>[1];

/** Writes a history as JSON and reads it back. */
const throughFile = (history: History): History =>
  readHistory(JSON.parse(JSON.stringify(writeHistory(history, secrets))));

/** A history with one creation whose user shows a record. */
function historyWith(record: Record<string, unknown>): History {
  const exchange = makeExchange({ status: 201 });
  const read = makeRead(record, { exchange: makeExchange() });
  const creation = makeCreation(USER, { exchange, reads: [read] });
  return makeHistory({ exchanges: [exchange, read.exchange], creations: [creation] });
}

const recordOf = ({ creations }: History) => creations[0]?.reads[0]?.record;

test('a history is the same when it was written and read', () => {
  const history = historyWith({ id: '7', ...USER });
  expect(throughFile(history)).toEqual(history);
});

test('an exchange stays one object, wherever it stands', () => {
  const { exchanges, creations } = throughFile(historyWith(USER));
  expect(creations[0]?.exchange).toBe(exchanges[0]);
  expect(creations[0]?.reads[0]?.exchange).toBe(exchanges[1]);
});

test('a number keeps its digits', () => {
  const record = parseJson('{"id":9007199254740993}') as Record<string, unknown>;
  expect(textOf(recordOf(throughFile(historyWith(record)))?.id)).toBe('9007199254740993');
});

test('members may have any name', () => {
  const record = { $number: '1', $exchange: 2, $$x: 3, constructor: 'x', toString: 'y' };
  expect(recordOf(throughFile(historyWith(record)))).toEqual(record);
});

test('a member __proto__ changes no prototype', () => {
  const record = JSON.parse('{"__proto__":{"isAdmin":true},"id":"7"}');
  const read = recordOf(throughFile(historyWith(record)));
  expect(read).toEqual({ id: '7' });
  expect(read).not.toHaveProperty('isAdmin');
});

test('the key is in no text, not even in the name of a member', () => {
  const written = writeHistory(historyWith({ name: 'my secret', 'a secret': 1 }), secrets);
  expect(JSON.stringify(written)).not.toContain('secret');
});

test.each<[object, string]>([
  [{}, 'its exchanges are missing'],
  [{ exchanges: [1] }, 'its exchanges are missing'],
  [{ exchanges: [] }, 'its creations are missing'],
  [{ exchanges: [], creations: [{ exchange: { $exchange: 3 } }] }, 'it has no exchange 3'],
])('%j is no history', (written, message) => {
  expect(() => readHistory(written as WrittenHistory)).toThrow(new TypeError(message));
});
