import { stringify, unflatten } from 'devalue';
import { LosslessNumber } from 'lossless-json';
import type { Exchange } from '../http/exchange.ts';
import type { Secrets } from '../http/secrets.ts';
import { caseName, Missing, type OrMissing, type Yields } from './evidence.ts';

/** All that checks may look at, as data: what steps yield by their names, and what came of their cases by theirs. */
export interface RunRecord extends Omit<Yields, 'isBad' | 'of' | 'ofCase'> {
  /** The ids of the exchanges of requests that no conforming service carries out. */
  readonly bad: ReadonlySet<number>;
  readonly steps: ReadonlyMap<string, OrMissing<unknown>>;
  readonly cases: ReadonlyMap<string, ReadonlyMap<string, OrMissing<unknown>>>;
}

/** Evidence of a record for checks; `absent` stands for what it does not have. */
export function yieldsOf(record: RunRecord, absent: Missing): Yields {
  const { bad, steps, cases, ...rest } = record;
  return {
    ...rest,
    isBad: ({ id }) => bad.has(id),
    of: (step) => (steps.get(step.name) ?? absent) as never,
    ofCase: (step, one) => (cases.get(step.name)?.get(caseName(one)) ?? absent) as never,
  };
}

/** Writes a record as JSON that keeps what is the same object the same: shown, so without the key and without functions. */
export function writeRecord({ steps, cases, ...rest }: RunRecord, secrets: Secrets): unknown[] {
  const shown = showing(secrets);
  const named = (all: ReadonlyMap<string, unknown>) => new Map([...all].map(([name, one]) => [name, shown(one)]));
  const record = {
    ...(shown(rest) as object),
    steps: named(steps),
    cases: new Map([...cases].map(([step, all]) => [step, named(all)])),
  };
  return JSON.parse(
    stringify(record, {
      Missing: (value) => value instanceof Missing && [value.message, value.exchanges, value.excluded, value.isFault],
      Number: (value) => value instanceof LosslessNumber && value.value,
    }),
  );
}

/** Makes the copy of a value that may leave the suite. What is one object stays one. */
function showing({ shown, redact }: Secrets): (value: unknown) => unknown {
  const copies = new Map<unknown, unknown>();
  const text = (value: string) => {
    const known = copies.get(value) ?? redact(value);
    copies.set(value, known);
    return known as string;
  };
  const copyOf = (value: object): unknown => {
    if (isExchange(value)) return shown(value);
    if (value instanceof LosslessNumber) return text(value.value) === value.value ? value : text(value.value);
    if (value instanceof Missing) {
      const { message, exchanges, ...how } = value;
      return new Missing(text(message), exchanges.map(shown), how);
    }
    // Entered before what is in it, which may lead back to it.
    const enter = <T>(copy: T): T => {
      copies.set(value, copy);
      return copy;
    };
    if (Array.isArray(value)) {
      const copy = enter<unknown[]>([]);
      for (const one of value) copy.push(copyOne(one));
      return copy;
    }
    if (value instanceof Set) {
      const copy = enter(new Set());
      for (const one of value) copy.add(copyOne(one));
      return copy;
    }
    if (value instanceof Map) {
      const copy = enter(new Map());
      for (const [key, one] of value) copy.set(copyOne(key), copyOne(one));
      return copy;
    }
    const copy = enter<Record<string, unknown>>({});
    for (const [name, one] of Object.entries(value)) {
      // No check reads a member of this name, and none can be written.
      if (typeof one !== 'function' && name !== '__proto__') copy[text(name)] = copyOne(one);
    }
    return copy;
  };
  const copyOne = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (!copies.has(value)) copies.set(value, copyOf(value));
    return copies.get(value);
  };
  return copyOne;
}

function isExchange(value: object): value is Exchange {
  return 'request' in value && 'attempts' in value;
}

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
    Number: (digits) => new LosslessNumber(digits),
  });
  const { bad, steps, cases, ...lists } = record;
  const isWhole =
    bad instanceof Set &&
    [steps, cases, ...(cases instanceof Map ? cases.values() : [])].every((one) => one instanceof Map) &&
    [lists.record, lists.looks, lists.creations, lists.culprits].every(Array.isArray);
  if (!isWhole) throw new TypeError('a part of it is missing');
  return record;
}
