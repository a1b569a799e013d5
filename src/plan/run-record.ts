import { stringify, unflatten } from 'devalue';
import { LosslessNumber } from 'lossless-json';
import type { Exchange } from '../http/exchange.ts';
import type { Secrets } from '../http/secrets.ts';
import { isObject } from '../http/value.ts';
import { caseName, Missing, type OrMissing, present, type Yields } from './evidence.ts';

/** All that checks may look at, as data: what came of cases, by the names of their steps and their own. */
export interface RunRecord extends Omit<Yields, 'of'> {
  readonly cases: ReadonlyMap<string, ReadonlyMap<string, OrMissing<unknown>>>;
}

/** Evidence of a record for checks; `absent` stands for what it does not have. */
export function yieldsOf(record: RunRecord, absent: Missing): Yields {
  return { ...record, of: ({ name }, one) => (record.cases.get(name)?.get(caseName(one)) ?? absent) as never };
}

/** Writes a record as JSON that keeps what is the same object the same: shown, so without the key and without functions. */
export function writeRecord(record: RunRecord, { shown, redact }: Secrets): unknown[] {
  // By their own names steps and cases are found again.
  const names = [...record.cases].flatMap(([name, all]) => [name, ...all.keys()]);
  // Bodies may be long, and what is shown has none to be hidden.
  const bodies = record.record.map(shown).flatMap(({ request, response }) => present([request.body, response?.body]));
  const texts = new Map([...names, ...bodies].map((text) => [text, text]));
  const text = (value: string) => {
    const known = texts.get(value) ?? redact(value);
    texts.set(value, known);
    return known;
  };
  const types = {
    Missing: (value: unknown) =>
      value instanceof Missing && [value.message, value.exchanges, value.excluded, value.isFault],
    Number: (value: unknown) => value instanceof LosslessNumber && value.value,
  };
  const operations = {
    toPrimitive: (value: unknown) => (typeof value === 'string' ? text(value) : (value as number)),
    // No check reads a member of this name, and none can be written.
    shapeOf: (value: Record<string, unknown>) => ({
      kind: 'plain' as const,
      keys: Object.keys(value).filter((name) => name !== '__proto__' && typeof value[name] !== 'function'),
    }),
    get: (value: object, name: string | number) => Object(isExchange(value) ? shown(value) : value)[name],
  };
  const written: unknown[] = JSON.parse(stringify(record, types, { operations }));
  return written.map((slot) => {
    if (!isObject(slot) || Object.keys(slot).every((name) => text(name) === name)) return slot;
    return Object.fromEntries(Object.entries(slot).map(([name, at]) => [text(name), at]));
  });
}

const isExchange = (value: object): value is Exchange => 'request' in value && 'attempts' in value;

/** What is in a record besides objects, arrays and scalars. */
const TYPES = ['Map', 'Set', 'Missing', 'Number'];

/** The number by which the format marks an array that is mostly empty. */
const SPARSE = -7;

/**
 * Reads a record that anybody may have written: data of the kinds that the suite writes, and nothing else. Throws where it is
 * of another kind; what is in it is checked by whoever judges it.
 */
export function readRecord(written: readonly unknown[]): RunRecord {
  const isOther = (slot: unknown) =>
    Array.isArray(slot) && (typeof slot[0] === 'string' ? !TYPES.includes(slot[0]) : slot[0] === SPARSE);
  if (written.some(isOther)) throw new TypeError('it holds what no record holds');
  const record = unflatten([...written], {
    Missing: ([why, exchanges, excluded, isFault]) => new Missing(why, exchanges, { excluded, isFault }),
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
