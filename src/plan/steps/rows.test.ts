import { expect, test } from 'vitest';
import { answering, carryOut, shows } from '../../../tests/answering.ts';
import { firstTwo } from '../../../tests/made-evidence.ts';
import type { Context } from '../context.ts';
import { faultOf } from '../step.ts';
import { isAsBefore } from './reads.ts';
import { refusalsInARow } from './rows.ts';

const rows = [{ what: 'three wrong keys', count: 3, make: (run: Context) => run.listing({}) }];

test('a usual request is answered after each row', async () => {
  const { run, sent, known } = answering([401], [401], [401], shows('7'));
  const users = firstTwo(known('7'), known('8'));
  const [found] = await carryOut(refusalsInARow, run, { what: 'rows', rows }, { users });
  expect(found && faultOf(found, isAsBefore)).toBe('none');
  expect(sent).toHaveLength(4);
});

test('it is sent again where it is refused as well', async () => {
  const { run, known } = answering([401], [401], [401], [401], [401], shows('7'));
  const users = firstTwo(known('7'), known('8'));
  const [found] = await carryOut(refusalsInARow, run, { what: 'rows', rows }, { users });
  expect(found && faultOf(found, isAsBefore)).toBe('company');
});
