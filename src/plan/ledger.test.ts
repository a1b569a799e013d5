import { describe, expect, test } from 'vitest';
import { creation, exchange } from '../../tests/made-evidence.ts';
import type { Identifier } from './identifier.ts';
import { type Creation, Ledger } from './ledger.ts';
import type { Read } from './record.ts';

/** A ledger with these creations. */
function ledgerOf(...creations: Creation[]): Ledger {
  const ledger = new Ledger();
  for (const one of creations) ledger.enter(one);
  return ledger;
}

const identifier = (text: string): Identifier => ({ text, segment: text, place: 'create response: id' });
const readOf = (record: Record<string, unknown>): Read => ({
  ...{ exchange: exchange(), ok: true, record, path: '', others: [], unreadable: false },
});

/** Enters that a creation is retrieved by an identifier, with a record that shows it. */
function prove(ledger: Ledger, of: Creation, text: string, member = 'id'): void {
  ledger.prove(of, identifier(text), readOf({ ...of.user, [member]: text }));
}

/** Two users of a run, anew each time: what is proven of one is written into it. */
const two = () =>
  [creation('ada.1@example.com', 'Ada Lovelace'), creation('grace.2@example.com', 'Grace Hopper')] as const;

describe('whose record it is', () => {
  test.each([
    ['with both as sent', { email: 'ada.1@example.com', name: 'Ada Lovelace' }, 0],
    ['with the email in capitals', { email: 'ADA.1@EXAMPLE.COM', name: 'Ada Lovelace' }, 0],
    ['with the email alone', { email: 'ada.1@example.com' }, 0],
    ['with the name alone', { name: 'Grace Hopper' }, 1],
    ['with another name', { email: 'ada.1@example.com', name: 'ADA LOVELACE' }, 0],
    ['with a masked email', { email: 'g***@example.com', name: 'Grace Hopper' }, 1],
    ['with both swapped', { email: 'Ada Lovelace', name: 'ada.1@example.com' }, 0],
    ['with neither', { email: 'boss@example.com', name: 'Boss' }, undefined],
    ['of nobody', {}, undefined],
    ['with members that are no strings', { email: { ada: 1 }, name: ['Ada Lovelace'] }, undefined],
  ])('one %s', (_, record, owner) => {
    const users = two();
    expect(ledgerOf(...users).ownerOf(record)).toBe(owner === undefined ? undefined : users[owner]);
  });

  test('a name without the tag of the run is nobody’s own: it may well be somebody else’s, but with an identifier', () => {
    const ledger = new Ledger('malorine');
    const names = ['', 'Bo', '<b>bold</b>', 'Malorine Baab', 'True Baacmalorine'];
    const users = names.map((name, at) => creation(`a.malorine${at}@example.com`, name));
    for (const one of users) ledger.enter(one);
    const owners = (record: object) => names.map((name) => ledger.ownerOf({ ...record, name }));
    expect(owners({ email: 'x@example.org' })).toEqual([undefined, undefined, undefined, users[3], users[4]]);
    const bold = users[2] as Creation;
    prove(ledger, bold, '7');
    expect(ledger.ownerOf({ id: '7', email: '***', name: '<b>bold</b>' })).toBe(bold);
    expect(ledger.ownerOf({ id: '8', email: 'carl.quyuteyy687@example.com', name: '<b>bold</b>' })).toBeUndefined();
  });

  test('an email without the tag of the run is its own together with the name, or with the identifier', () => {
    const ledger = new Ledger('malorine');
    const admin = creation('admin@example.com', 'Malorine Baab');
    const numbered = creation('221021242718231487@example.com', 'Baacmalorine Xyz');
    for (const one of [admin, numbered]) ledger.enter(one);
    const of = (record: object) => ledger.ownerOf({ email: 'admin@example.com', ...record });
    expect(of({ name: 'Malorine Baab' })).toBe(admin);
    expect(of({ name: 'Quyuteyy Baab' })).toBeUndefined();
    expect(ledger.ownerOf({ email: 'admin@example.com', name: 'MALORINE' }, admin)).toBe(admin);
    prove(ledger, admin, '7');
    expect(of({ id: '7', name: 'Quyuteyy Baab' })).toBe(admin);
    expect(of({ id: '6', name: 'Quyuteyy Baab' })).toBeUndefined();
    expect(ledger.ownerOf({ email: numbered.user.email, name: 'Zyx' })).toBe(numbered);
  });

  test('a record that mixes two users up is of the one whose email it has', () => {
    const [ada, grace] = two();
    expect(ledgerOf(ada, grace).ownerOf({ email: 'ada.1@example.com', name: 'Grace Hopper' })).toBe(ada);
  });

  test('of two users of one name the email tells, of two of one email the name', () => {
    const [first, second] = [creation('a.1@example.com', 'Same Name'), creation('b.2@example.com', 'Same Name')];
    const [third, fourth] = [creation('c.3@example.com', 'Third One'), creation('c.3@example.com', 'Fourth One')];
    const ledger = ledgerOf(first, second, third, fourth);
    expect(ledger.ownerOf({ email: 'b.2@example.com', name: 'Same Name' })).toBe(second);
    expect(ledger.ownerOf({ email: 'a.1@example.com', name: 'Same Name' })).toBe(first);
    expect(ledger.ownerOf({ email: 'c.3@example.com', name: 'Fourth One' })).toBe(fourth);
    expect(ledger.ownerOf({ email: 'c.3@example.com', name: 'Third One' })).toBe(third);
  });

  test('of emails that differ in case alone each is its own user’s', () => {
    const [lower, upper] = [creation('a.1@example.com', 'Lower One'), creation('A.1@EXAMPLE.COM', 'Upper One')];
    const ledger = ledgerOf(lower, upper);
    expect(ledger.ownerOf({ email: 'A.1@EXAMPLE.COM', name: 'Upper One' })).toBe(upper);
    expect(ledger.ownerOf({ email: 'a.1@example.com', name: 'Upper One' })).toBe(upper);
    expect(ledger.ownerOf({ email: 'A.1@EXAMPLE.COM', name: 'somebody' })).toBe(upper);
  });

  test('where several would do, the identifier tells', () => {
    const [first, second] = [creation('a.1@example.com', 'Same Name'), creation('b.2@example.com', 'Same Name')];
    const ledger = ledgerOf(first, second);
    prove(ledger, first, '1');
    prove(ledger, second, '2');
    expect(ledger.ownerOf({ id: '2', email: '***', name: 'Same Name' })).toBe(second);
    expect(ledger.ownerOf({ id: '1', email: '***', name: 'Same Name' })).toBe(first);
  });

  test('a record with a known identifier is of its user, whatever it shows, but only in the member of identifiers', () => {
    const [ada, grace] = two();
    const ledger = ledgerOf(ada, grace);
    prove(ledger, ada, '1', 'userId');
    prove(ledger, grace, '2', 'userId');
    expect(ledger.identifierMember).toBe('userId');
    expect(ledger.ownerOf({ userId: '2', email: 'hidden', name: 'hidden' })).toBe(grace);
    expect(ledger.ownerOf({ version: '2', email: 'hidden', name: 'hidden' })).toBeUndefined();
  });

  test('a member that shows the identifier of one user by chance is not that of identifiers', () => {
    const [ada, grace] = two();
    const ledger = ledgerOf(ada, grace);
    ledger.prove(ada, identifier('1'), readOf({ ...ada.user, id: '1', version: '1' }));
    ledger.prove(grace, identifier('2'), readOf({ ...grace.user, id: '2', version: '1' }));
    expect(ledger.identifierMember).toBe('id');
  });

  test('what was left out or was no string is no trace', () => {
    const ledger = ledgerOf(creation('a.1@example.com', 'No Email', { traces: { name: 'No Email' } }));
    expect(ledger.ownerOf({ email: 'a.1@example.com', name: '' })).toBeUndefined();
    expect(ledger.ownerOf({ email: '', name: 'No Email' })).toBeDefined();
  });
});

test('the run has made at least what was retrieved, and at most what may exist', () => {
  const [ada, grace] = two();
  const ledger = ledgerOf(
    ada,
    grace,
    creation('a@example.com', 'Refused One', { answered: 'refused' }),
    creation('b@example.com', 'Unknown One', { answered: 'unknown' }),
  );
  prove(ledger, ada, '1');
  expect(ledger.count(exchange())).toEqual({ least: 1, most: 3 });
});

test('a text shows a user of the run only by what was not sent with the request', () => {
  const [ada] = two();
  const refused = creation('no@example.com', 'Not There', { fate: 'must-not', answered: 'refused' });
  const ledger = new Ledger('malorine');
  for (const one of [refused, ada]) ledger.enter(one);
  expect(ledger.shownIn('{"email":"ada.1@example.com"}', '')).toBe('ada.1@example.com');
  expect(ledger.shownIn('no user Ada Lovelace', '/users/Ada Lovelace')).toBeUndefined();
  expect(ledger.shownIn('no@example.com', '')).toBeUndefined();
  expect(ledger.shownIn('the name is Malorine Xyz', '')).toBe('malorine');
});

test('a place where an identifier was found is tried before those where others were found earlier', () => {
  const ledger = ledgerOf();
  for (const place of ['Location', 'create response: id', 'Location'])
    ledger.prove(creation('ada.1@example.com', 'Ada Lovelace'), { ...identifier('1'), place }, readOf({}));
  expect(ledger.places).toEqual(['Location', 'create response: id']);
});
