import type { Exchange, ShownExchange } from '../http/exchange.ts';
import type { Secrets } from '../http/secrets.ts';
import { isObject, LosslessNumber } from '../http/value.ts';
import type { Creation } from './creation.ts';
import type { CaseResult, History, SkippedCase } from './history.ts';
import type { List } from './list.ts';

/**
 * A history as plain JSON. Each exchange, creation and list is stored once; other places refer to
 * it: an exchange by its id, the others by their index.
 */
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
  const writeDigits = (digits: string, value: number | number[]): unknown => {
    const redaction = redactText(digits);
    return redaction === digits ? value : redaction;
  };
  const references = referencesIn(history);
  const write = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (value instanceof LosslessNumber) return { $number: redactText(value.value) };
    if (typeof value === 'number') return writeDigits(`${value}`, value);
    if (Array.isArray(value)) {
      // The bytes of the key may be numbers.
      const isBytes = value.length > 0 && value.every((item) => typeof item === 'number');
      return isBytes ? writeDigits(value.join(), value) : value.map(write);
    }
    if (typeof value !== 'object' || value === null) return value;
    return references.get(value) ?? writeMembers(value);
  };
  const writeMembers = (object: object): Record<string, unknown> => {
    const members = ownMembers(object).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      members.map(([name, value]) => [escapeName(redactText(name)), write(value)]),
    );
  };
  const { exchanges, results, skipped, creations, lists, ...others } = history;
  return {
    exchanges: exchanges.map(shown),
    ...writeMembers(others),
    lists: lists.map(writeMembers),
    // Checks compare the suite's own words, so these stay even if they look like the key.
    results: results.map((result) => ({ ...writeMembers(result), ...wordsOf(result) })),
    skipped: skipped.map((result) => ({ ...writeMembers(result), ...wordsOf(result) })),
    creations: creations.map((creation) => {
      return { ...writeMembers(creation), name: creation.name };
    }),
  };
}

/** Returns the texts that stand for the exchanges, creations and lists of a history. */
function referencesIn({ exchanges, creations, lists }: History): Map<object, object> {
  return new Map<object, object>([
    ...exchanges.map((exchange) => [exchange, { $exchange: exchange.id }] as const),
    ...creations.map((creation, index) => [creation, { $creation: index }] as const),
    ...lists.map((list, index) => [list, { $list: index }] as const),
  ]);
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
  for (const name of ARRAYS) {
    if (!Array.isArray(others[name])) throw new TypeError(`its ${name} are missing`);
  }
  const written = others as Record<(typeof ARRAYS)[number], unknown[]>;
  const exchangesById = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  // Creations and lists may refer to each other, so all of them are made before any is read.
  const creations = written.creations.map(() => ({}) as Creation);
  const lists = written.lists.map(() => ({}) as List);
  const refer = <T>(name: string, target: T | undefined, number: unknown): T => {
    if (target === undefined) throw new TypeError(`it has no ${name} ${number}`);
    return target;
  };
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    if (!isObject(value)) return value;
    const { $exchange: id, $creation: creation, $list: list, $number: number } = value;
    if (id !== undefined) return refer('exchange', exchangesById.get(id as number), id);
    if (creation !== undefined) return refer('creation', creations[creation as number], creation);
    if (list !== undefined) return refer('list', lists[list as number], list);
    if (number !== undefined) return readNumber(`${number}`);
    return readMembers(value);
  };
  const readMembers = (value: object): Record<string, unknown> =>
    Object.fromEntries(
      ownMembers(value).map(([name, member]) => [unescapeName(name), read(member)]),
    );
  const { creations: writtenCreations, lists: writtenLists, ...rest } = written;
  for (const [index, creation] of creations.entries())
    Object.assign(creation, readMembers(writtenCreations[index] as object));
  for (const [index, list] of lists.entries())
    Object.assign(list, readMembers(writtenLists[index] as object));
  return { ...(readMembers(rest) as unknown as History), exchanges, creations, lists };
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
