import { describe, expect, test } from 'vitest';
import { makeAnswer, makeCreation, makeExchange } from '../../tests/made-history.ts';
import { Ledger } from './ledger.ts';
import { isContradictory, isDue, isPaginated, isReadable, itemsOf, readList } from './list.ts';

const ADA = { email: 'ada.malorine1@example.com', name: 'Malorine Ada' };
const BOSS = { email: 'boss@example.org', name: 'Boss' };

const listOf = (json: unknown, ledger = new Ledger('malorine')) =>
  readList(makeAnswer(json, 200), ledger);

describe('reading a list', () => {
  test('returns the users of the run, and a sample of others', () => {
    const ledger = new Ledger('malorine');
    const creation = makeCreation(ADA);
    ledger.add(creation);
    const list = listOf(
      {
        data: [
          { id: 1, ...BOSS },
          { id: 2, ...ADA },
        ],
        total: 2,
      },
      ledger,
    );
    expect(isReadable(list)).toBe(true);
    expect(list).toMatchObject({ size: 2, total: 2, others: 1, faults: {} });
    expect(itemsOf(list, creation)).toMatchObject([ADA]);
    expect(list.sample).toMatchObject([BOSS]);
  });

  test.each([
    [{ total: 0 }, { data: expect.stringContaining('has no data') }],
    [{ data: {}, total: 0 }, { data: 'data is {}, an object' }],
    [{ data: [] }, { total: expect.stringContaining('has no total') }],
    [{ data: [], total: '0' }, { total: 'total is "0", a string' }],
    [{ data: [{ email: 'a@example.org' }], total: 1 }, { users: 'data[0] has no name' }],
    ['text', { data: expect.any(String), total: expect.any(String) }],
  ])('describes faults: %j', (json, faults) => {
    expect(listOf(json).faults).toEqual(faults);
  });

  test('returns an unreadable list for another status than 2xx', () => {
    const list = readList(makeAnswer({ data: [], total: 0 }, 500), new Ledger('malorine'));
    expect(isReadable(list)).toBe(false);
  });

  test('returns a digest that depends on the users and their order', () => {
    const both = listOf({ data: [ADA, BOSS], total: 2 });
    expect(listOf({ data: [ADA, BOSS], total: 9 }).digest).toBe(both.digest);
    expect(listOf({ data: [BOSS, ADA], total: 2 }).digest).not.toBe(both.digest);
  });
});

test('a list is paginated with fewer users than its total, and contradictory with more', () => {
  expect(isPaginated(listOf({ data: [BOSS], total: 2 }))).toBe(true);
  expect(isPaginated(listOf({ data: [BOSS], total: 1 }))).toBe(false);
  expect(isContradictory(listOf({ data: [BOSS], total: 0 }))).toBe(true);
  expect(isContradictory(listOf({ data: [], total: 3 }))).toBe(true);
});

describe('a settled list must show', () => {
  const creation = makeCreation(ADA, { exchange: makeExchange({ status: 201 }) });
  const later = { ...listOf({ data: [], total: 0 }), isSettled: true };

  test('a user whose creation was complete before it was requested', () => {
    expect(isDue(later, creation)).toBe(true);
  });

  test('no user who was created later, was rejected, or may be rejected', () => {
    const createdLater = makeCreation(ADA);
    expect(isDue(later, createdLater)).toBe(false);
    expect(isDue(later, { ...creation, response: 'rejected' })).toBe(false);
    expect(isDue(later, { ...creation, expected: 'either' })).toBe(false);
  });

  test('no user before the settle time is over', () => {
    expect(isDue({ ...later, isSettled: false }, creation)).toBe(false);
  });
});
