import { describe, expect, test } from 'vitest';
import { makeCreation, makeRead } from '../../tests/made-history.ts';
import type { Creation } from './creation.ts';
import { Ledger } from './ledger.ts';

const ADA = { email: 'ada.malorine1@example.com', name: 'Malorine Ada' };
const GRACE = { email: 'grace.malorine2@example.com', name: 'Malorine Grace' };

function ledgerOf(...creations: Creation[]): Ledger {
  const ledger = new Ledger('malorine');
  for (const creation of creations) ledger.add(creation);
  return ledger;
}

/** Notes that an identifier retrieved a user. */
function identify(ledger: Ledger, creation: Creation, text: string): void {
  creation.reads.push(makeRead({ ...creation.user, id: text }));
  ledger.identify(creation, { text, segment: text, place: 'create response: id' });
}

describe('the owner of a record', () => {
  test.each([
    ['with both as sent', ADA, 'ada'],
    ['with the email in capitals', { ...ADA, email: ADA.email.toUpperCase() }, 'ada'],
    ['with the email alone', { email: ADA.email }, 'ada'],
    ['with the name alone', { name: GRACE.name }, 'grace'],
    ['with another name', { ...ADA, name: 'ADA' }, 'ada'],
    ['with a masked email', { ...GRACE, email: 'g***@example.com' }, 'grace'],
    ['with email and name exchanged', { email: ADA.name, name: ADA.email }, 'ada'],
    ['of another user', { email: 'boss@example.org', name: 'Boss' }, undefined],
    ['without members', {}, undefined],
    ['with members that are no strings', { email: { ada: 1 }, name: [ADA.name] }, undefined],
  ])('%s', (_, record, owner) => {
    const ada = makeCreation(ADA);
    const grace = makeCreation(GRACE);
    const expected = { ada, grace }[owner ?? ''];
    expect(ledgerOf(ada, grace).ownerOf(record)).toBe(expected);
  });

  test('is not a user of the run because of a common name alone', () => {
    const creation = makeCreation({ email: 'ada.malorine1@example.com', name: 'Null' });
    const ledger = ledgerOf(creation);
    expect(ledger.ownerOf({ email: 'null@example.org', name: 'Null' })).toBeUndefined();
  });

  test('has the identifier of the record if several users have the email', () => {
    const first = makeCreation(ADA);
    const second = makeCreation({ ...GRACE, email: ADA.email });
    const ledger = ledgerOf(first, second);
    identify(ledger, first, '7');
    identify(ledger, second, '8');
    const record = { email: ADA.email, name: '***' };
    expect(ledger.ownerOf({ ...record, id: '8' })).toBe(second);
    expect(ledger.ownerOf({ ...record, id: '7' })).toBe(first);
  });
});

describe('a leak in a response', () => {
  const ledger = ledgerOf(makeCreation(ADA));

  test('is an email or a name of a user, or the tag of the run', () => {
    expect(ledger.leakIn(`{"email":"${ADA.email}"}`, '')).toBe(ADA.email);
    expect(ledger.leakIn(`hello ${ADA.name}`, '')).toBe(ADA.name);
    expect(ledger.leakIn('xmalorine9', '')).toBe('malorine');
  });

  test('is not a text that the request sent', () => {
    expect(ledger.leakIn(`no user ${ADA.email}`, JSON.stringify(ADA))).toBeUndefined();
    expect(ledger.leakIn('unauthorized', '')).toBeUndefined();
  });
});
