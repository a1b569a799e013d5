import type { Exchange, ShownExchange } from '../http/exchange.ts';
import type { Secrets } from '../http/secrets.ts';
import { isObject, LosslessNumber } from '../http/value.ts';
import type { CaseResult, History, SkippedCase } from './history.ts';

/** A history as plain JSON: exchanges stand once, elsewhere is their id; and numbers keep their digits. */
export interface WrittenHistory {
  exchanges: ShownExchange[];
  [name: string]: unknown;
}

const isExchange = (value: object): value is Exchange => 'request' in value && 'attempts' in value;

/** Writes a history as JSON that holds no secret: exchanges as they are shown, all other texts redacted. */
export function writeHistory(history: History, { shown, redact }: Secrets): WrittenHistory {
  const redacted = new Map<string, string>();
  const text = (value: string): string => {
    const known = redacted.get(value) ?? redact(value);
    redacted.set(value, known);
    return known;
  };
  const write = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (value instanceof LosslessNumber) return { $number: value.value };
    if (Array.isArray(value)) return value.map(write);
    if (typeof value !== 'object' || value === null) return value;
    if (isExchange(value)) return { $exchange: value.id };
    return writeMembers(value);
  };
  const writeMembers = (value: object): Record<string, unknown> => {
    // No check reads a member `__proto__`, and assigning one would change the prototype.
    const own = Object.entries(value).filter(
      ([name, member]) => name !== '__proto__' && member !== undefined,
    );
    return Object.fromEntries(own.map(([name, member]) => [escapeName(text(name)), write(member)]));
  };
  const { exchanges, results, skipped, creations, ...others } = history;
  return {
    exchanges: exchanges.map(shown),
    ...writeMembers(others),
    // The suite's own words hold no key, however much one looks like them: checks go by them.
    results: results.map((one) => ({ ...writeMembers(one), ...ownWords(one) })),
    skipped: skipped.map((one) => ({ ...writeMembers(one), ...ownWords(one) })),
    creations: creations.map((one) => ({ ...writeMembers(one), name: one.name })),
  };
}

const ownWords = ({ slugs, name, operation }: CaseResult | SkippedCase) => ({
  slugs,
  name,
  operation,
});

/** A service may call a member `$number` as well. */
const escapeName = (name: string) => (name.startsWith('$') ? `$${name}` : name);
const unescapeName = (name: string) => (name.startsWith('$$') ? name.slice(1) : name);

/** Reads a history that anybody may have written. Throws a TypeError if it is of another kind. */
export function readHistory({ exchanges, ...others }: WrittenHistory): History {
  const isWhole =
    Array.isArray(exchanges) && exchanges.every((one) => isObject(one) && isExchange(one));
  if (!isWhole) throw new TypeError('its exchanges are missing');
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    if (!isObject(value)) return value;
    if ('$exchange' in value) {
      const exchange = byId.get(value.$exchange as number);
      if (exchange === undefined) throw new TypeError(`it has no exchange ${value.$exchange}`);
      return exchange;
    }
    // A number that held a part of the key is a text by now.
    if ('$number' in value) return numberOf(`${value.$number}`);
    const members = Object.entries(value).filter(([name]) => name !== '__proto__');
    return Object.fromEntries(members.map(([name, member]) => [unescapeName(name), read(member)]));
  };
  const history = Object.assign(read(others) as History, { exchanges });
  for (const name of ARRAYS)
    if (!Array.isArray(history[name])) throw new TypeError(`its ${name} are missing`);
  return history;
}

const ARRAYS = [
  'creations',
  'lists',
  'results',
  'skipped',
  'firstUsers',
  'rereads',
  'unauthorized',
  'bursts',
  'atRest',
  'existing',
  'locations',
  'outages',
  'parts',
] as const;

const numberOf = (digits: string) =>
  Number.isNaN(Number(digits)) ? digits : new LosslessNumber(digits);
