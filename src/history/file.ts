import type { Exchange, ShownExchange } from '../http/exchange.ts';
import type { Secrets } from '../http/secrets.ts';
import { isObject, LosslessNumber } from '../http/value.ts';
import type { CaseResult, History, SkippedCase } from './history.ts';

/** A history as plain JSON. Each exchange is stored once; other places have its id. */
export interface WrittenHistory {
  exchanges: ShownExchange[];
  [name: string]: unknown;
}

/** Writes a history as JSON without secrets: exchanges as they are shown, other texts redacted. */
export function writeHistory(
  history: History,
  { shown, redact }: Pick<Secrets, 'shown' | 'redact'>,
): WrittenHistory {
  const redactions = new Map<string, string>();
  const redactText = (text: string): string => {
    const redaction = redactions.get(text) ?? redact(text);
    redactions.set(text, redaction);
    return redaction;
  };
  const write = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (value instanceof LosslessNumber) return { $number: value.value };
    if (Array.isArray(value)) return value.map(write);
    if (typeof value !== 'object' || value === null) return value;
    if (isExchange(value)) return { $exchange: value.id };
    return writeMembers(value);
  };
  const writeMembers = (object: object): Record<string, unknown> => {
    const members = ownMembers(object).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      members.map(([name, value]) => [escapeName(redactText(name)), write(value)]),
    );
  };
  const { exchanges, results, skipped, creations, ...others } = history;
  return {
    exchanges: exchanges.map(shown),
    ...writeMembers(others),
    // Checks compare the suite's own words, so these stay even if they look like the key.
    results: results.map((result) => ({ ...writeMembers(result), ...wordsOf(result) })),
    skipped: skipped.map((result) => ({ ...writeMembers(result), ...wordsOf(result) })),
    creations: creations.map((creation) => {
      return { ...writeMembers(creation), name: creation.name };
    }),
  };
}

/** Returns the members of a case that the suite itself has written. */
function wordsOf({ slugs, name, operation }: CaseResult | SkippedCase) {
  return { slugs, name, operation };
}

/** Reads a history from any file. Throws a TypeError if it is invalid. */
export function readHistory({ exchanges, ...others }: WrittenHistory): History {
  const isValid =
    Array.isArray(exchanges) && exchanges.every((value) => isObject(value) && isExchange(value));
  if (!isValid) throw new TypeError('its exchanges are missing');
  const exchangesById = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    if (!isObject(value)) return value;
    if ('$exchange' in value) {
      const exchange = exchangesById.get(value.$exchange as number);
      if (exchange === undefined) throw new TypeError(`it has no exchange ${value.$exchange}`);
      return exchange;
    }
    if ('$number' in value) return readNumber(`${value.$number}`);
    const members = ownMembers(value);
    return Object.fromEntries(members.map(([name, member]) => [unescapeName(name), read(member)]));
  };
  const history = { ...(read(others) as History), exchanges };
  for (const name of ARRAYS) {
    if (!Array.isArray(history[name])) throw new TypeError(`its ${name} are missing`);
  }
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

const isExchange = (value: object): value is Exchange => 'request' in value && 'attempts' in value;

/**
 * Returns the members of an object but `__proto__`: no check reads it, and assigning it would
 * change the prototype.
 */
const ownMembers = (object: object): [name: string, value: unknown][] =>
  Object.entries(object).filter(([name]) => name !== '__proto__');

/** Escapes the name of a member, because a service may call one `$number` as well. */
const escapeName = (name: string): string => (name.startsWith('$') ? `$${name}` : name);

const unescapeName = (name: string): string => (name.startsWith('$$') ? name.slice(1) : name);

/** Reads a number, or the text of a number in which a part of the key was redacted. */
const readNumber = (digits: string): LosslessNumber | string =>
  Number.isNaN(Number(digits)) ? digits : new LosslessNumber(digits);
