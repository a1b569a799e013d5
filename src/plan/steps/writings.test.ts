import { expect, test } from 'vitest';
import { answering, carryOut, shows } from '../../../tests/answering.ts';
import { listOf } from '../../../tests/made-evidence.ts';
import { faultOf } from '../tried.ts';
import { isAsBefore, isComplete, listWritten, listWrittenLate, writtenRetrievals } from './writings.ts';

const one = { what: 'no Accept', write: <R>(request: R) => request };

test('a retrieval in another writing shows the user again', async () => {
  const { run, sent, known } = answering(shows('7'));
  const found = await carryOut(writtenRetrievals, run, one, { first: known('7') });
  expect(faultOf(found, isAsBefore)).toBe('none');
  expect(sent).toEqual(['GET /v1/users/7']);
});

test('one that fails is sent as usual, and in its writing again', async () => {
  const { run, known } = answering([406], shows('7'), [406]);
  const found = await carryOut(writtenRetrievals, run, one, { first: known('7') });
  expect(faultOf(found, isAsBefore)).toBe('case');
});

test('a list in another writing counts as many as the first at least', async () => {
  const { run } = answering([200, { data: [], total: 0 }]);
  const found = await carryOut(listWritten, run, one, { first: listOf([]) });
  expect(faultOf(found, isComplete)).toBe('none');
});

test('a list that counts fewer than were retrieved at the end is stale', async () => {
  const { run, known } = answering(
    [200, { data: [], total: 0 }],
    [200, { data: [], total: 1 }],
    [200, { data: [], total: 0 }],
  );
  known('7');
  const found = await carryOut(listWrittenLate, run, one, { first: listOf([]) });
  expect(faultOf(found, isComplete)).toBe('case');
});

test('one that fails once was answered so for its company', async () => {
  const list = [200, { data: [], total: 0 }] as const;
  const { run } = answering([500], list, list);
  const found = await carryOut(listWritten, run, one, { first: listOf([]) });
  expect(faultOf(found, isComplete)).toBe('company');
});
