import { createHash, randomInt } from 'node:crypto';
import { userListFault } from '../../schemas/user-list.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { isNumber, isObject, show, textOf } from '../http/value.ts';
import { excluded } from './evidence.ts';
import { identifierMember } from './identifier.ts';
import type { Creation, Ledger } from './ledger.ts';
import { bounded, isRecord, members } from './record.ts';

/** What came where a part of a list is not as it must be: `total is "0", a string`, or `data[0] has no name`. */
function faultOf(json: unknown, part: 'data' | 'total' | 'users'): string | undefined {
  const fault = userListFault(json, part);
  if (fault === undefined) return undefined;
  const { pointer, missing } = fault;
  const steps = pointer.split('/').slice(1);
  const value = steps.reduce<unknown>((outer, step) => (outer as Record<string, unknown>)[step], json);
  const name = steps.join('.').replace(/\.(\d+)/g, '[$1]') || 'the body';
  if (missing !== undefined) return `${name} has no ${missing}`;
  return `${name} is ${show(value)}${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return ', a string';
  if (isNumber(value)) return ', a number';
  if (Array.isArray(value)) return ', an array';
  return isObject(value) ? ', an object' : '';
}

/** What a reader of a list is to look for. */
export interface LookOptions {
  /** Which items of others to keep. */
  watch?: ((item: Record<string, unknown>) => boolean) | undefined;
  /** How many others are looked at more closely; absent: a few. */
  most?: number | undefined;
  /** Whether the list is to be compared with others as a whole. */
  digest?: true;
}

/** Items of one user that are kept. */
const ITEMS = 10;

/** Reads what one answer of `GET /users` says against the ledger. The list itself is not kept: it may be very long. */
export function readList(answer: Answer, ledger: Ledger, { most, watch = () => false, digest }: LookOptions = {}) {
  const { json: sent } = answer;
  // A number, however it was written.
  const json = isObject(sent) && isNumber(sent.total) ? { ...sent, total: Number(textOf(sent.total)) } : sent;
  const [data, total] = [faultOf(json, 'data'), faultOf(json, 'total')];
  // What is no list has no users.
  const items = data === undefined ? (json as { data: unknown[] }).data : [];
  const owners = items.map((item) => (isObject(item) ? ledger.ownerOf(item) : undefined));
  /** The items of each user of the run that is in it. */
  const ours = new Map<Creation, readonly Record<string, unknown>[]>();
  for (const [index, owner] of owners.entries()) {
    if (owner === undefined) continue;
    const item = items[index] as Record<string, unknown>;
    const before = ours.get(owner);
    if (before === undefined) ours.set(owner, ledger.listed(owner, item));
    else if (before.length < ITEMS) ours.set(owner, [...before, bounded(item)]);
  }
  const others = items.filter((_, index) => owners[index] === undefined);
  const records = others.filter(isRecord);
  // What has its place in the list, and is judged elsewhere.
  const judged = items.map((item, index) => (isWhole(owners[index]) ? item : { email: '', name: '' }));
  // Of every user of ours that is shown.
  const shownBy = identifierMember([...ours].map(([{ identifier }, [record]]) => ({ identifier, read: { record } })));
  return {
    exchange: answer.exchange,
    ok: answer.ok,
    /** By part of the schema: why the answer is not valid in it; undefined when it is. */
    faults: { data, total, users: faultOf({ data: judged }, 'users') },
    /** How many items `data` has, and what `total` says; NaN where they are not what the schema asks for. */
    shown: data === undefined ? items.length : Number.NaN,
    total: total === undefined ? (json as { total: number }).total : Number.NaN,
    ours,
    /** Items that are somebody else's: how many, and some of them. */
    others: others.length,
    sample: sampleOf(records, shownBy ?? ledger.identifierMember, most),
    /** The member in which the items of our users show their identifiers; absent where they don't. */
    ...(shownBy !== undefined && { identifierMember: shownBy }),
    /** Of the others: items that were asked for. */
    watched: records.filter(watch).slice(0, ITEMS).map(bounded),
    /** The same only for the same users in the same order; empty where it was not asked for. */
    digest: data === undefined && digest ? createHash('sha1').update(items.map(textsOf).join('\n')).digest('hex') : '',
  };
}

/** A list that was read. */
export interface Look extends ReturnType<typeof readList> {
  /** Whether the request was written in another way than usual. */
  written?: true;
  /** Where the key was refused: another way of sending it, or none, with which the list was returned. */
  opened?: { how: string; exchange: Exchange } | undefined;
}

/**
 * Whether an item must be a whole user. What a creation that should not have been carried out has left behind is the
 * matter of that creation alone, and what was sent without a string there is judged where it was sent.
 */
const isWhole = (owner: Creation | undefined) =>
  owner === undefined ||
  (owner.fate !== 'must-not' && owner.traces.email !== undefined && owner.traces.name !== undefined);

/** What of an item tells one list from another. */
function textsOf(item: unknown): string {
  const { email, name } = isObject(item) ? members(item) : { email: item, name: undefined };
  return `${textOf(email) ?? ''}\n${textOf(name) ?? ''}`;
}

/** Whether a list can be read for its users and its total. */
export const isReadable = ({ ok, faults }: Look) => ok && faults.data === undefined && faults.total === undefined;

/** Whether a list shows fewer users than it counts: the service pages, which is free. */
export const isPaged = ({ shown, total }: Look) => shown < total;

/** Whether what a list shows and what it counts contradict each other, as in an answer that lags in one of both. */
export const isContradictory = ({ shown, total }: Look) => shown > total || (shown === 0 && total > 0);

/** Items of a list that is fetched a few times only. */
const LONG = 1000;

/** Throws Missing where the list is long. */
export function mustBeShort({ shown }: Look): void {
  if (shown > LONG) throw excluded('the list is too long to be fetched that often');
}

type Item = Record<string, unknown>;

/** How many of a list's items are looked at more closely, besides the first and the last. */
const BETWEEN = 3;

/** How many of those are whose identifier others have as well. */
const SHARING = 10;

/**
 * Some items of a list, each user once: the first, the last, so many at random, and such as share an identifier, which
 * `member` shows.
 */
function sampleOf(items: readonly Item[], member: string | undefined, most = BETWEEN): Item[] {
  const places = new Set(items.length > 0 ? [0, items.length - 1] : []);
  while (places.size < Math.min(items.length, most + 2)) places.add(randomInt(items.length));
  const identifierOf = (item: Item) => (member === undefined ? undefined : textOf(item[member]));
  const chosen = [...[...places].map((place) => items[place] as Item), ...sharing(items, identifierOf)];
  const distinct = new Map(chosen.map((item) => [`${textsOf(item)}\n${identifierOf(item)}`, item]));
  return [...distinct.values()].map(bounded);
}

/** Some of the items whose identifier an earlier one has, and that one. */
function sharing(items: readonly Item[], identifierOf: (item: Item) => string | undefined): Item[] {
  const first = new Map<string, Item>();
  const found = new Set<Item>();
  for (const item of items) {
    const text = identifierOf(item);
    const before = text ? first.get(text) : undefined;
    if (before) found.add(before).add(item);
    else if (text) first.set(text, item);
    if (found.size >= SHARING) break;
  }
  return [...found];
}
