import { createHash } from 'node:crypto';
import type { Answer } from '../http/exchange.ts';
import { isObject, show, textOf } from '../http/value.ts';
import type { Creation, Ledger } from './ledger.ts';

/** The way to a value from the top of a body: the names of members, and the places of items in their arrays. */
type Way = readonly (string | number)[];

/** Envelopes deeper than this hold no user's record. */
const DEPTH = 8;
/** Values looked at in one body: a retrieve answer has few, a list's may have very many. */
const VALUES = 20_000;

/** The email and name of an object, undefined where it has none of its own. */
export function members(object: Record<string, unknown>): { email: unknown; name: unknown } {
  const own = (name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
  return { email: own('email'), name: own('name') };
}

/** Whether a record shows just this email and this name. */
export function isOf(record: Record<string, unknown> | undefined, user: { email: unknown; name: unknown }): boolean {
  const { email, name } = members(record ?? {});
  return email === user.email && name === user.name;
}

/** Whether a value is an object that has an email and a name: a person's record. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.hasOwn(value, 'email') && Object.hasOwn(value, 'name');

/** The values in a body, the outer ones first: so many, and none deeper than that. */
export function* valuesIn(body: unknown, most: number, depth: number) {
  const found: { value: unknown; way: Way; outer?: unknown }[] = [{ value: body, way: [] }];
  for (const place of found) {
    yield place;
    const { value: outer, way } = place;
    if (way.length === depth || !(Array.isArray(outer) || isObject(outer))) continue;
    const room = most - found.length;
    const inner = Array.isArray(outer) ? outer.slice(0, room).entries() : Object.entries(outer).slice(0, room);
    for (const [name, value] of inner)
      found.push({ value, way: [...way, typeof name === 'number' ? name : shortName(name)], outer });
  }
}

/**
 * Finds the objects of a body that have an email or a name, the outer ones first: at the top, in an envelope, in an
 * array, and also within one another, because nobody knows yet which of them is the user's record. `path` is the way to
 * it as text, such as `data.user` or `data[]`, empty for the top itself; `outer` what holds it: an array, or an object.
 */
export function recordsIn(body: unknown) {
  return [...valuesIn(body, VALUES, DEPTH)].flatMap(({ value, way, outer }) => {
    const isMaybe = isObject(value) && Object.values(members(value)).some((one) => one !== undefined);
    if (!isMaybe) return [];
    const path = way.map((name) => (typeof name === 'number' ? '[]' : `.${name}`)).join('');
    return { record: value, way, path: path.replace(/^\./, ''), outer };
  });
}

/** What is kept of a record: so many values, so deep, and so many characters in texts that are not short. */
const KEPT = { values: 200, depth: DEPTH, short: 100, characters: 20_000 };
/** Characters of an email or a name that are kept: more than the longest that the run sends has. */
const SENT = 100_000;

/**
 * A copy of a record with no more in it than the run looks at: what is kept of many answers must not grow with them.
 * Its email and its name come first. Of a very long text a digest is kept that tells two of them apart.
 */
export function bounded(record: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(members(record)).filter(([, value]) => value !== undefined);
  let { values, characters } = KEPT;
  const copy = (value: unknown, depth: number): unknown => {
    values -= 1;
    if (typeof value === 'string') {
      if (value.length <= KEPT.short) return value;
      characters -= value.length;
      return characters < 0 ? digestOf(value) : value;
    }
    const room = depth === 0 ? 0 : Math.max(0, values);
    if (Array.isArray(value)) return value.slice(0, room).map((item) => copy(item, depth - 1));
    if (!isObject(value)) return value;
    const kept = Object.entries(value).slice(0, room);
    return Object.fromEntries(kept.map(([member, own]) => [shortName(member), copy(own, depth - 1)]));
  };
  const whole = known.filter(([, value]) => typeof value === 'string' && value.length <= SENT);
  // What is kept whole takes no room from the others: a long identifier may stand behind a long name.
  const without = whole.map(([member]) => [member, '']);
  const others = copy({ ...Object.fromEntries(known), ...record, ...Object.fromEntries(without) }, KEPT.depth);
  return { ...(others as Record<string, unknown>), ...Object.fromEntries(whole) };
}

function digestOf(text: string): string {
  // Without its beginning, which could end with a part of the key.
  return `… (${text.length} characters, ${createHash('sha1').update(text).digest('hex')})`;
}

/** The name of a member as far as it stands in a place of a record: nobody's is as long as this. */
export const shortName = (name: string) => (name.length <= KEPT.short ? name : digestOf(name));

/** Whether what is at the end of one way lies within what is at the end of another. */
export const isWithin = (way: Way, outer: Way): boolean =>
  way.length > outer.length && outer.every((name, index) => name === way[index]);

/** Whether a read shows its user, and nobody else. */
export const isFine = ({ ok, record, others }: Read) => ok && record !== undefined && others.length === 0;

/** What an answer shows of a user who was asked for. */
export type Read = ReturnType<typeof readUser>;

/** Reads an answer for the record of one user, who is known by what was sent to create it. */
export function readUser({ exchange, ok, json }: Answer, creation: Creation, ledger: Ledger) {
  const found = recordsIn(json).map((one) => ({ ...one, owner: ledger.ownerOf(one.record, creation) }));
  // The object that has its email and its name, else the one that is likest to be it.
  const [own] = found
    .filter(({ owner }) => owner === creation)
    .sort((a, b) => likeness(b.record, creation) - likeness(a.record, creation));
  const others = found.flatMap(({ record, way, owner }) => {
    if (owner === undefined || owner === creation) return [];
    // Beside the record of the user, half a record (an account, a contact) is no further user.
    if (own && (!isRecord(record) || isWithin(way, own.way))) return [];
    const { email, name } = members(record);
    const text = textOf(email) ?? 'a user without an email';
    return text === creation.user.email ? `${text} with the name ${show(name)}` : text;
  });
  // Users of nobody's that stand in one array with this one are further users, too.
  const inArray = own && Array.isArray(own.outer) ? own.outer.filter(isRecord) : [];
  const beside = inArray.slice(1).map(() => 'another user');
  return {
    exchange,
    ok,
    /** The user's own record, with the place where it stands; absent where it is not there. */
    ...(own && { record: bounded(own.record) }),
    path: own?.path ?? '',
    /** Other users beside it, not within it: an email for each. */
    others: others.length > 0 ? others : beside,
    /** Whether the answer could not be read as JSON, or not to its end. */
    unreadable: exchange.response?.jsonFault !== undefined || exchange.response?.cut === true,
  };
}

/** How much of a record is as the user of a creation was sent. */
function likeness(record: Record<string, unknown>, { traces }: Creation): number {
  const { email, name } = members(record);
  const sameEmail = textOf(email)?.toLowerCase() === traces.email?.toLowerCase();
  return Number(sameEmail) + Number(name === traces.name) + Number(isRecord(record));
}
