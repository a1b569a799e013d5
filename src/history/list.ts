import { createHash } from 'node:crypto';
import { userListFault } from '../../schemas/user-list.ts';
import { type Answer, type Exchange, endOf } from '../http/exchange.ts';
import { isNumber, isObject, show, textOf } from '../http/value.ts';
import { type Creation, mustExist } from './creation.ts';
import { identifierMember } from './identifier-member.ts';
import type { Ledger } from './ledger.ts';
import { compactRecord, type Item, isUserRecord, members } from './record.ts';

/** The items of a list that show one user of the run. */
export interface ListedUser {
  /** The index of the creation in the history. */
  creation: number;
  items: readonly Item[];
}

/** A response of GET /users, limited to what checks read: the list itself may be very long. */
export interface List {
  exchange: Exchange;
  /** Whether the status is a 2xx. */
  ok: boolean;
  /** What is wrong with each part of the body; a part that is right is absent. */
  faults: { data?: string; total?: string; users?: string };
  /** How many items `data` has; 0 if it is no array. */
  size: number;
  /** The `total`; 0 if it is no integer. */
  total: number;
  /** The users of the run in it. */
  ours: ListedUser[];
  /** How many items show somebody else. */
  others: number;
  /** Some of those items: the first, the last, some between, and such as share an identifier. */
  sample: Item[];
  /** The member in which the items of the run's users show their identifiers. */
  identifierMember?: string;
  /** The same for two lists only if they show the same users in the same order. */
  digest: string;
  /** Whether the settle time was over, or the list showed what it must. */
  isSettled: boolean;
  /** Whether the request was written in another way than usual. */
  isRewritten?: true;
  /** Whether it followed a negative request, with which it is judged. */
  isAfterNegative?: true;
}

/** More items of one user than this are not kept. */
const MOST_ITEMS = 10;

/** Reads a response of GET /users and compares it with the creations so far. */
export function readList(answer: Answer, ledger: Ledger): List {
  const body = withPlainTotal(answer.json);
  const faults = faultsOf(body);
  const items: unknown[] = faults.data === undefined ? (body as { data: unknown[] }).data : [];
  const owners = items.map((item) => (isObject(item) ? ledger.ownerOf(item) : undefined));
  const found = new Map<Creation, Item[]>();
  for (const [index, owner] of owners.entries()) {
    if (owner === undefined) continue;
    const item = items[index] as Item;
    const before = found.get(owner);
    if (before === undefined) found.set(owner, [ledger.compactItem(owner, item)]);
    else if (before.length < MOST_ITEMS) before.push(compactRecord(item));
  }
  const ours = [...found].map(([owner, own]) => ({
    creation: ledger.creations.indexOf(owner),
    items: own,
  }));
  const strangers = items.filter((_, index) => owners[index] === undefined);
  // An item that is judged with the creation that made it is not judged here.
  const judged = items.map((item, index) => (mustBeWhole(owners[index]) ? item : WHOLE));
  const users = faultOf({ data: judged }, 'users');
  const listedMember = identifierMember(
    [...found].map(([{ identifier }, own]) => [identifier?.text, own[0]]),
  );
  return {
    exchange: answer.exchange,
    ok: answer.ok,
    faults: { ...faults, ...(users !== undefined && { users }) },
    size: items.length,
    total: faults.total === undefined ? (body as { total: number }).total : 0,
    ours,
    others: strangers.length,
    sample: sampleOf(strangers.filter(isUserRecord), listedMember ?? ledger.identifierMember),
    ...(listedMember !== undefined && { identifierMember: listedMember }),
    digest: digestOf(items),
    isSettled: false,
  };
}

const WHOLE = { email: '', name: '' };

/**
 * Whether an item must be a whole user. An item that a rejected creation has left behind is judged with that creation,
 * and so is a member that was not sent as a string.
 */
function mustBeWhole(owner: Creation | undefined): boolean {
  if (owner === undefined) return true;
  const { email, name } = owner.traces;
  return owner.expected !== 'rejected' && email !== undefined && name !== undefined;
}

/** The body with a plain number as `total`, however the number was written. */
function withPlainTotal(json: unknown): unknown {
  return isObject(json) && isNumber(json.total)
    ? { ...json, total: Number(textOf(json.total)) }
    : json;
}

function faultsOf(body: unknown): List['faults'] {
  const [data, total] = [faultOf(body, 'data'), faultOf(body, 'total')];
  return { ...(data !== undefined && { data }), ...(total !== undefined && { total }) };
}

/** Says what is wrong with a part of a list: `total is "0", a string`, or `data[0] has no name`. */
function faultOf(body: unknown, part: 'data' | 'total' | 'users'): string | undefined {
  const fault = userListFault(body, part);
  if (fault === undefined) return undefined;
  const steps = fault.pointer.split('/').slice(1);
  const value = steps.reduce<unknown>((outer, step) => (outer as Item)[step], body);
  const name = steps.join('.').replace(/\.(\d+)/g, '[$1]') || 'the body';
  if (fault.missing !== undefined) return `${name} has no ${fault.missing}`;
  return `${name} is ${show(value)}${typeName(value)}`;
}

function typeName(value: unknown): string {
  if (typeof value === 'string') return ', a string';
  if (isNumber(value)) return ', a number';
  if (Array.isArray(value)) return ', an array';
  return isObject(value) ? ', an object' : '';
}

/** Of a very long list, the items at each end that its digest covers. */
const DIGESTED_ITEMS = 1000;

function digestOf(items: unknown[]): string {
  const isLong = items.length > 2 * DIGESTED_ITEMS;
  const ends = isLong
    ? [...items.slice(0, DIGESTED_ITEMS), ...items.slice(-DIGESTED_ITEMS)]
    : items;
  return createHash('sha1')
    .update(`${items.length}\n${ends.map(userText).join('\n')}`)
    .digest('hex');
}

function userText(item: unknown): string {
  if (!isObject(item)) return textOf(item) ?? '';
  const { email, name } = members(item);
  return `${textOf(email) ?? ''}\n${textOf(name) ?? ''}`;
}

/** Items between the first and the last that are kept of other users. */
const SAMPLED_BETWEEN = 3;

/** Items that share an identifier, at most. */
const SAMPLED_SHARING = 10;

/** Some items of other users: first, last, evenly spread between, and such as share an identifier. */
function sampleOf(items: readonly Item[], member: string | undefined): Item[] {
  const last = items.length - 1;
  const steps = SAMPLED_BETWEEN + 1;
  const places = Array.from({ length: steps + 1 }, (_, step) => Math.round((last * step) / steps));
  const spread = items.length === 0 ? [] : places.map((place) => items[place] as Item);
  const identifierOf = (item: Item) => (member === undefined ? undefined : textOf(item[member]));
  const chosen = [...spread, ...sharing(items, identifierOf)];
  const distinct = new Map(
    chosen.map((item) => [`${userText(item)}\n${identifierOf(item)}`, item]),
  );
  return [...distinct.values()].map(compactRecord);
}

function sharing(items: readonly Item[], identifierOf: (item: Item) => string | undefined): Item[] {
  const first = new Map<string, Item>();
  const found = new Set<Item>();
  for (const item of items) {
    const identifier = identifierOf(item);
    if (!identifier) continue;
    const before = first.get(identifier);
    if (before) found.add(before).add(item);
    else first.set(identifier, item);
    if (found.size >= SAMPLED_SHARING) break;
  }
  return [...found];
}

/** Whether a list can be read for its users and its total. */
export const isReadable = ({ ok, faults }: List): boolean =>
  ok && faults.data === undefined && faults.total === undefined;

/** Whether a list shows fewer users than it counts: it is paginated, which is free. */
export const isPaginated = ({ size, total }: List): boolean => size < total;

/** Whether items and total contradict each other, as in a response that lags in one of both. */
export const isContradictory = ({ size, total }: List): boolean =>
  size > total || (size === 0 && total > 0);

/** The items of a list that show the user of a creation, by its index in the history. */
export const itemsOf = (list: List, creation: number): readonly Item[] =>
  list.ours.find((listed) => listed.creation === creation)?.items ?? [];

/** Whether a response was complete before another request was sent. */
export const isBefore = (one: Exchange, other: Exchange): boolean =>
  // Two requests of one millisecond are told apart by their numbers.
  one.id < other.id && endOf(one) <= other.at;

/**
 * Whether a list must show a user: the user must exist, was created by the run before the list was requested, and the list
 * is settled.
 */
export function isDue(list: List, creation: Creation): boolean {
  const { exchange } = creation;
  if (!list.isSettled || !mustExist(creation)) return false;
  return exchange !== undefined && isBefore(exchange, list.exchange);
}

/** Items of a list that is not fetched more often than it must be. */
const LONG_LIST = 1000;

/** Whether a list is so long that a run fetches it as rarely as it can. */
export const isLong = (list: List | undefined): boolean => (list?.size ?? 0) > LONG_LIST;
