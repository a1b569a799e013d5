import { describe, expect, test } from 'vitest';
import { answer, creation, lookAt } from '../../tests/made-evidence.ts';
import { Ledger } from './ledger.ts';
import { isContradictory, isPaged, isReadable } from './look.ts';

const ada = creation('ada.1@example.com', 'Ada Lovelace');
const intruder = creation('no@example.com', 'Not There', { fate: 'must-not', answered: 'refused' });
const other = (index: number) => ({ id: `o-${index}`, email: `o.${index}@example.org`, name: `Other ${index}` });

/** A ledger that knows both, the first by an identifier. */
function ledger(): Ledger {
  const made = new Ledger();
  made.enter(ada);
  made.enter(intruder);
  const { exchange } = answer({});
  const read = { exchange, ok: true, record: { ...ada.user, id: '1' }, path: '', others: [], unreadable: false };
  made.prove(ada, { text: '1', segment: '1', place: 'Location' }, read);
  return made;
}

const look = (json: unknown, status = 200) => lookAt(json, ledger(), { status });

test('a list is read against the ledger: ours, and how many are somebody else’s', () => {
  const { ours, others, shown, total, faults, identifierMember } = look({
    data: [other(1), { ...ada.user, id: 1 }, other(2), { ...intruder.user, id: 9 }],
    total: 4,
  });
  expect([...ours.keys()]).toEqual([ada, intruder]);
  expect(others).toBe(2);
  expect([shown, total]).toEqual([4, 4]);
  expect(faults).toEqual({});
  expect(identifierMember).toBe('id');
});

test('a user that is listed twice has two items', () => {
  expect(look({ data: [ada.user, ada.user], total: 2 }).ours.get(ada)).toHaveLength(2);
});

describe('what is wrong with a list is told by its part', () => {
  test.each([
    [{ data: null, total: 0 }, { data: 'data is null' }],
    [{ data: [], total: '0' }, { total: 'total is "0", a string' }],
    [[], { data: 'the body is [], an array', total: 'the body is [], an array' }],
    [{ data: [{ email: 'a' }], total: 1 }, { users: 'data[0] has no name' }],
    [{ data: [null], total: 1 }, { users: 'data[0] is null' }],
  ])('%j', (json, faults) => {
    const made = look(json);
    expect(made.faults).toEqual(faults);
    expect(isReadable(made)).toBe('users' in faults);
  });

  test('but not of what a creation has left behind that should not have been carried out', () => {
    expect(look({ data: [{ email: intruder.user.email }], total: 1 }).faults).toEqual({});
  });

  test('and not by its numbers: those are none', () => {
    expect(look({ data: [], total: null }).total).toBeNaN();
    expect(look({ total: 3 }).shown).toBeNaN();
  });
});

test.each([
  [
    { data: [other(1)], total: 3 },
    { paged: true, contradictory: false },
  ],
  [
    { data: [other(1)], total: 1 },
    { paged: false, contradictory: false },
  ],
  [
    { data: [], total: 1 },
    { paged: true, contradictory: true },
  ],
  [
    { data: [other(1)], total: 0 },
    { paged: false, contradictory: true },
  ],
])('%j: %o', (json, { paged, contradictory }) => {
  expect(isPaged(look(json))).toBe(paged);
  expect(isContradictory(look(json))).toBe(contradictory);
});

test('a list with another status than 2xx can not be read', () => {
  expect(isReadable(look({ data: [], total: 0 }, 500))).toBe(false);
  expect(isReadable(look({ data: [], total: 0 }))).toBe(true);
});

describe('a sample of others', () => {
  const many = Array.from({ length: 100 }, (_, index) => other(index));

  test('has the first and the last, and no more than a few', () => {
    const { sample } = look({ data: many, total: 100 });
    expect(sample.length).toBeLessThanOrEqual(7);
    expect(sample).toEqual(expect.arrayContaining([many[0], many[99]]));
  });

  test('has those who share an identifier', () => {
    const twins = [
      { ...other(200), id: 'twin' },
      { ...other(201), id: 'twin' },
    ];
    const { sample } = look({ data: [{ ...ada.user, id: 1 }, ...twins, ...many], total: 203 });
    expect(sample).toEqual(expect.arrayContaining(twins));
  });

  test('has nobody of ours, and nothing that is no record', () => {
    expect(look({ data: [ada.user, { name: 'x' }, 'x'], total: 3 }).sample).toEqual([]);
  });
});

test('the digest is the same only for the same users in the same order', () => {
  const of = (...items: unknown[]) => lookAt({ data: items, total: items.length }, ledger(), { digest: true }).digest;
  expect(of(other(1), other(2))).toBe(of(other(1), other(2)));
  expect(of(other(1), other(2))).not.toBe(of(other(2), other(1)));
  expect(of(other(1))).not.toBe(of(other(1), other(1)));
  expect(of({ ...other(1), seen: 1 })).toBe(of({ ...other(1), seen: 2 }));
});

test('items that were asked for are kept', () => {
  const data = [ada.user, other(1), other(2)];
  const made = lookAt({ data, total: 3 }, ledger(), { watch: ({ id }) => id === 'o-2' });
  expect(made.watched).toEqual([other(2)]);
});
