import { createHash } from 'node:crypto';
import { userListFault } from '../../schemas/user-list.ts';
import { type Answer, type Exchange, endOf } from '../http/exchange.ts';
import { isNumber, isObject, show, textOf } from '../http/value.ts';
import { type Creation, mustExist } from './creation.ts';
import type { Ledger } from './ledger.ts';
import { compactRecord, type Item, isUserRecord, members, shortText } from './record.ts';

/** The items of a list that show one user of the run. */
export interface ListedUser {
  creation: Creation;
  items: readonly Item[];
}

/** A response of GET /users, limited to what checks read: the list itself may be very long. */
export interface List {
  exchange: Exchange;
  /** Whether the status is a 2xx. */
  ok: boolean;
  /** The fault of each part of the body; absent for a valid part. */
  faults: { data?: string; total?: string; users?: string };
  /** The number of items of `data`; 0 if it is no array. */
  size: number;
  /** The `total`; 0 if it is no integer. */
  total: number;
  /** The users of the run in the list. */
  ours: ListedUser[];
  /** The number of items that show other users. */
  others: number;
  /** Some of these items: the first, the last, some between, and duplicates of an identifier. */
  sample: Item[];
  /** A digest that two lists share only if they show the same users in the same order. */
  digest: string;
  /** Whether the settle time was over, or the list showed all users that it must. */
  isSettled: boolean;
  /** Whether the request was an equivalent of the usual one. */
  isRewritten?: true;
  /** Whether it followed a negative request. The list is then judged with that request. */
  isAfterNegative?: true;
}

/** The most items of one user that a list stores. */
const MOST_ITEMS = 10;

/** Reads a response of GET /users and finds the users of the creations so far. */
export function readList(answer: Answer, ledger: Ledger): List {
  const body = withPlainTotal(answer.json);
  const faults = faultsOf(body);
  const items: unknown[] = faults.data === undefined ? (body as { data: unknown[] }).data : [];
  const owners = items.map((item) => (isObject(item) ? ledger.ownerOf(item) : undefined));
  const itemsByOwner = compactItems(items, owners, ledger);
  const ours = [...itemsByOwner].map(([owner, ownItems]) => {
    return { creation: owner, items: ownItems };
  });
  const otherItems = items.filter((_, index) => owners[index] === undefined);
  const users = userFault(items, owners);
  ledger.noteListed(itemsByOwner);
  const { listed, retrieved } = ledger.identifierMembers;
  return {
    exchange: answer.exchange,
    ok: answer.ok,
    faults: { ...faults, ...(users !== undefined && { users }) },
    size: items.length,
    total: faults.total === undefined ? (body as { total: number }).total : 0,
    ours,
    others: otherItems.length,
    sample: sampleOf(otherItems.filter(isUserRecord), listed ?? retrieved),
    digest: digestOf(items),
    isSettled: false,
  };
}

/** Returns the body with a plain number as `total`, in any notation. */
function withPlainTotal(json: unknown): unknown {
  if (!isObject(json) || !isNumber(json.total)) return json;
  return { ...json, total: Number(textOf(json.total)) };
}

/** Returns compact copies of the items of each user of the run. */
function compactItems(
  items: readonly unknown[],
  owners: readonly (Creation | undefined)[],
  ledger: Ledger,
): Map<Creation, Item[]> {
  const itemsByOwner = new Map<Creation, Item[]>();
  for (const [index, owner] of owners.entries()) {
    if (owner === undefined) continue;
    const item = items[index] as Item;
    const earlier = itemsByOwner.get(owner);
    if (earlier === undefined) itemsByOwner.set(owner, [ledger.compactItem(owner, item)]);
    else if (earlier.length < MOST_ITEMS) earlier.push(compactRecord(item));
  }
  return itemsByOwner;
}

const VALID_USER = { email: '', name: '' };

/** Describes the first item that should be a user and is not. */
function userFault(
  items: readonly unknown[],
  owners: readonly (Creation | undefined)[],
): string | undefined {
  const data = items.map((item, index) => (mustBeValid(owners[index]) ? item : VALID_USER));
  return faultOf({ data }, 'users');
}

/**
 * Whether an item must be a valid user. The items of a rejected creation are judged with that
 * creation, and so are members that it did not send as strings.
 */
function mustBeValid(owner: Creation | undefined): boolean {
  if (owner === undefined) return true;
  const { email, name } = owner.traces;
  return owner.expected !== 'rejected' && email !== undefined && name !== undefined;
}

function faultsOf(body: unknown): List['faults'] {
  const data = faultOf(body, 'data');
  const total = faultOf(body, 'total');
  return { ...(data !== undefined && { data }), ...(total !== undefined && { total }) };
}

/** Describes the fault of a part of a list: `total is "0", a string`, or `data[0] has no name`. */
function faultOf(body: unknown, part: 'data' | 'total' | 'users'): string | undefined {
  const fault = userListFault(body, part);
  if (fault === undefined) return undefined;
  const steps = fault.pointer.split('/').slice(1);
  const value = steps.reduce<unknown>((outer, step) => (outer as Item)[step], body);
  const place = steps.join('.').replace(/\.(\d+)/g, '[$1]') || 'the body';
  if (fault.missing !== undefined) return `${place} has no ${fault.missing}`;
  return `${place} is ${show(value)}${typeName(value)}`;
}

function typeName(value: unknown): string {
  if (typeof value === 'string') return ', a string';
  if (isNumber(value)) return ', a number';
  if (Array.isArray(value)) return ', an array';
  return isObject(value) ? ', an object' : '';
}

/** The number of items at each end of a very long list that its digest covers. */
const DIGESTED_ITEMS = 1000;

function digestOf(items: readonly unknown[]): string {
  const isShort = items.length <= 2 * DIGESTED_ITEMS;
  const covered = isShort
    ? items
    : [...items.slice(0, DIGESTED_ITEMS), ...items.slice(-DIGESTED_ITEMS)];
  const text = `${items.length}\n${covered.map(userText).join('\n')}`;
  return createHash('sha1').update(text).digest('hex');
}

function userText(item: unknown): string {
  if (!isObject(item)) return textOf(item) ?? '';
  const { email, name } = members(item);
  return `${shortText(textOf(email) ?? '')}\n${shortText(textOf(name) ?? '')}`;
}

/** The number of items of a sample between the first and the last. */
const SAMPLED_BETWEEN = 3;

/** The most items of a sample that share an identifier. */
const SAMPLED_DUPLICATES = 10;

type IdentifierOf = (item: Item) => string | undefined;

/** Returns some items: the first, the last, some between, and duplicates of an identifier. */
function sampleOf(items: readonly Item[], member: string | undefined): Item[] {
  const identifierOf: IdentifierOf = (item) =>
    member === undefined ? undefined : textOf(item[member]);
  const sample = new Set([...spread(items), ...duplicates(items, identifierOf)]);
  const distinct = new Map(
    [...sample].map((item) => [`${userText(item)}\n${identifierOf(item)}`, item]),
  );
  return [...distinct.values()].map(compactRecord);
}

/** Returns the first item, the last, and some evenly between. */
function spread(items: readonly Item[]): Item[] {
  if (items.length === 0) return [];
  const last = items.length - 1;
  const steps = SAMPLED_BETWEEN + 1;
  const indexes = Array.from({ length: steps + 1 }, (_, step) => Math.round((last * step) / steps));
  return indexes.map((index) => items[index] as Item);
}

/** Returns some items that share an identifier with an earlier item, each with that one. */
function duplicates(items: readonly Item[], identifierOf: IdentifierOf): Item[] {
  const firstItems = new Map<string, Item>();
  const sharing = new Set<Item>();
  for (const item of items) {
    const identifier = identifierOf(item);
    if (!identifier) continue;
    const firstItem = firstItems.get(identifier);
    if (firstItem) sharing.add(firstItem).add(item);
    else firstItems.set(identifier, item);
    if (sharing.size >= SAMPLED_DUPLICATES) break;
  }
  return [...sharing];
}

/** Whether a list has valid users and a valid total. */
export const isReadable = ({ ok, faults }: List): boolean =>
  ok && faults.data === undefined && faults.total === undefined;

/** Whether a list shows fewer users than its total. Pagination is the service's choice. */
export const isPaginated = ({ size, total }: List): boolean => size < total;

/** Whether items and total contradict each other, as when one of them is stale. */
export const isContradictory = ({ size, total }: List): boolean =>
  size > total || (size === 0 && total > 0);

/** The items of each list by creation: checks look up each user in each list. */
const itemsByCreation = new WeakMap<readonly ListedUser[], Map<Creation, readonly Item[]>>();

/** Returns the items that show the user of a creation. */
export function itemsOf({ ours }: List, creation: Creation): readonly Item[] {
  let items = itemsByCreation.get(ours);
  if (items === undefined) {
    items = new Map(ours.map((listed) => [listed.creation, listed.items]));
    itemsByCreation.set(ours, items);
  }
  return items.get(creation) ?? [];
}

/** Returns the last list that shows the user of a creation, with the item; undefined if none does. */
export function lastListed(
  lists: readonly List[],
  creation: Creation,
): { list: List; item: Item } | undefined {
  const list = lists.findLast((candidate) => itemsOf(candidate, creation).length > 0);
  const [item] = list ? itemsOf(list, creation) : [];
  return list && item && { list, item };
}

/** Whether a response was complete before another request was sent. */
export const isBefore = (earlier: Exchange, later: Exchange): boolean =>
  // The ids order requests of the same millisecond.
  earlier.id < later.id && endOf(earlier) <= later.at;

/**
 * Whether a list must show a user: the list is settled, the user must exist, and was created before
 * the list was requested.
 */
export function isDue(list: List, creation: Creation): boolean {
  const { exchange } = creation;
  if (!list.isSettled || !mustExist(creation)) return false;
  return exchange !== undefined && isBefore(exchange, list.exchange);
}

/** Returns the users whom a list must show and does not. */
export const missingFrom = (list: List, creations: readonly Creation[]): Creation[] =>
  creations.filter((creation) => isDue(list, creation) && itemsOf(list, creation).length === 0);

/** The most items of a list that is fetched freely. */
const LONG_LIST = 1000;

/** Whether a list is so long that a run fetches it as rarely as possible. */
export const isLong = (list: List | undefined): boolean => (list?.size ?? 0) > LONG_LIST;
