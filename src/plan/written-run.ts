import { unflatten } from 'devalue';
import { LosslessNumber } from '../http/value.ts';
import { caseName, Missing, type Yields } from './evidence.ts';
import type { RunRecord } from './run.ts';

/** What is in a record besides objects, arrays and scalars. */
const TYPES = ['Map', 'Set', 'Missing', 'Number'];

/**
 * Reads a record that anybody may have written: data of the kinds that the suite writes, and nothing else. Throws where
 * it is of another kind; what is in it is checked by whoever judges it.
 */
export function readRecord(written: readonly unknown[]): RunRecord {
  // An array that is mostly empty is marked by -7.
  const isOther = (slot: unknown) =>
    Array.isArray(slot) && (typeof slot[0] === 'string' ? !TYPES.includes(slot[0]) : slot[0] === -7);
  if (written.some(isOther)) throw new TypeError('it holds what no record holds');
  const record = unflatten([...written], {
    Missing: ([why, exchanges, excluded]) => new Missing(why, exchanges, { excluded }),
    // What was a part of the key is a text by now.
    Number: (digits) => (Number.isNaN(Number(digits)) ? digits : new LosslessNumber(digits)),
  });
  const { bad, cases, ...lists } = record;
  const isWhole =
    bad instanceof Set &&
    [cases, ...(cases instanceof Map ? cases.values() : [])].every((one) => one instanceof Map) &&
    [lists.record, lists.looks, lists.creations, lists.culprits].every(Array.isArray);
  if (!isWhole) throw new TypeError('a part of it is missing');
  return record;
}

/** Evidence of a record for checks; `absent` stands for what it does not have. */
export function yieldsOf(record: RunRecord, absent: Missing): Yields {
  return { ...record, of: ({ name }, one) => (record.cases.get(name)?.get(caseName(one)) ?? absent) as never };
}
