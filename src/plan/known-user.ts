import { type Answer, brief, header } from '../http/exchange.ts';
import { KEY } from '../http/key.ts';
import { Failure } from '../requirement/outcome.ts';
import type { Check } from './check.ts';
import { candidateInLocation, candidatesIn, type Identifier, kindOf } from './identifier.ts';
import { type FoundRecord, isRecord, isRecordOf, recordsIn, type UserRecord } from './record.ts';
import type { KnownUser } from './session.ts';
import { type ListView, type UserList, viewOf } from './user-list.ts';
import type { NewUser } from './users.ts';

/** The first answer of `GET /users` in the run, from before anything was created, whatever it is. */
export function firstList(check: Check): Promise<ListView> {
  return check.fact('first list', async (finder) => viewOf(await finder.list()));
}

/** The first list of the run, from before anything was created. */
export async function baseline(check: Check): Promise<ListView> {
  const view = await firstList(check);
  check.isReadable(view);
  return view;
}

/**
 * Creates a user and finds its identifier. A plain user must be accepted; an unusual one (an odd name, a name used
 * before) may be refused, which leaves nothing to judge.
 * Throws a Failure when the created user can't be retrieved, NotVerified when a plain user is refused, or when the list
 * pages and nothing else shows the identifier.
 */
export async function createUser(check: Check, user: NewUser, kind: 'plain' | 'unusual'): Promise<KnownUser> {
  check.mayCreate();
  // Counting needs the total from before the first creation; a list that is broken must not keep us from creating.
  await baseline(check).catch(() => undefined);
  const created = await (kind === 'plain' ? createPlain(check, user) : check.create(user));
  if (!created.ok && kind === 'plain') check.needs('create.answers', created.exchange);
  if (!created.ok) check.notApplicable(`the service refuses it (${created.status}): constraints are not shown`);
  if (kind === 'plain') check.session.observe('create answer', whatIsShown(check, created, user));
  const found = await identify(check, user, created);
  const known = { ...user, ...found, plain: kind === 'plain', created: created.exchange };
  check.session.users.push(known);
  return known;
}

/** Sends the creation of a plain user, which no service may refuse; whether it is refused is judged at the end. */
export async function createPlain(check: Check, user: NewUser): Promise<Answer> {
  const created = await check.create(user);
  check.session.plainCreations.push(created.exchange);
  return created;
}

/** What the answer of a creation shows of the user, which is free. */
function whatIsShown(check: Check, created: Answer, user: NewUser): string {
  if (created.exchange.response?.bodyBytes === 0) return 'empty';
  const record = recordOf(check, created, user)?.record;
  if (record === undefined) return 'without the user';
  return record.email === user.email && record.name === user.name ? 'shows the user' : 'shows other values';
}

/** The first user of the run; in read-only mode one from the list. Throws a Failure when it can't be retrieved. */
export function firstUser(check: Check): Promise<KnownUser> {
  return check.fact('first user', (finder) =>
    finder.session.settings.readOnly ? listedUser(finder) : plainUser(finder),
  );
}

/** The second user of the run, to be told apart from the first. Throws a Failure when it can't be retrieved. */
export async function secondUser(check: Check): Promise<KnownUser> {
  await knownUser(check);
  return check.fact('second user', plainUser);
}

/** The user that most checks look at. Throws NotVerified where there is none: another requirement says why. */
export function knownUser(check: Check): Promise<KnownUser> {
  return standingOn(check, 'retrieve.created-user', firstUser(check));
}

/** A further user, proven to be told apart from the first. Throws NotVerified where there is none. */
export function anotherUser(check: Check): Promise<KnownUser> {
  return standingOn(check, 'retrieve.exact-user', secondUser(check));
}

/** Passes a result on; its Failure is the failure of another requirement, and here only what could not be had. */
export function standingOn<T>(check: Check, slug: string, found: Promise<T>): Promise<T> {
  return found.catch((error) => {
    if (error instanceof Failure) check.needs(slug, ...error.finding.exchanges);
    throw error;
  });
}

/** Creates a plain user that is not used before. */
export function plainUser(check: Check): Promise<KnownUser> {
  return createUser(check, check.session.newUser(), 'plain');
}

/** How many users are created at the same time. */
const TOGETHER = 10;

/** Plain users that were created at the same time, once in a run. Throws as createUser does. */
export async function usersCreatedTogether(check: Check): Promise<KnownUser[]> {
  await anotherUser(check);
  return check.fact('users created together', (finder) => {
    finder.mayCreate();
    return Promise.all(Array.from({ length: TOGETHER }, () => plainUser(finder)));
  });
}

async function listedUser(check: Check): Promise<KnownUser> {
  const { sample: item } = await baseline(check);
  if (!isRecord(item)) check.notApplicable('read-only, and the list shows no user to look at');
  const user = { email: String(item.email), name: String(item.name) };
  const found = await firstThatRetrieves(check, user, candidatesIn(item, 'list item'));
  if ('wrong' in found) check.notVerified('no member of the first listed user retrieves it');
  note(check, found.identifier);
  return { ...user, ...found, plain: true };
}

type Found = Pick<KnownUser, 'identifier' | 'retrieved'>;

/** The identifier is the value that retrieves the user: candidates are tried until one does, within the settle time. */
async function identify(check: Check, user: NewUser, created: Answer): Promise<Found> {
  const place = check.session.identifierPlace;
  let pages = false;
  let shown: Answer | undefined;
  const find = async () => {
    if (!place?.startsWith('list')) {
      const first = await firstThatRetrieves(check, user, candidatesOf(check, created));
      if (!('wrong' in first) || place !== undefined) return first;
      shown = first.wrong;
    }
    const list = await freshList(check);
    pages = list?.pages ?? true;
    const item = list && itemsOf(list, [user], check).get(user)?.[0];
    return firstThatRetrieves(check, user, likeliestFirst(check, candidatesIn(item, 'list item')));
  };
  let looked = false;
  const found = await check.settled(
    () => {
      // Again in a quiet moment: a service that mixes up reads at the same time is told by the requirement for them.
      const look = looked ? check.session.quietly(find) : find();
      looked = true;
      return look;
    },
    (result) => !('wrong' in result),
  );
  if (!('wrong' in found)) {
    note(check, found.identifier);
    return found;
  }
  const wrong = found.wrong ?? shown;
  if (wrong?.ok && wrong.exchange.response?.jsonFault) check.needs('http.json', wrong.exchange);
  if (wrong === undefined && pages) {
    check.notVerified('no answer shows the identifier: not the create answer, and the list pages', created.exchange);
  }
  return check.fail({
    expected:
      'a value of the create answer, its Location or the list that retrieves the created user with a 2xx status',
    got: wrong === undefined ? 'no value that could be one' : `${brief(wrong.exchange)}${describe(wrong, user)}`,
    exchanges: wrong === undefined ? [created.exchange] : [created.exchange, wrong.exchange],
  });
}

/** What may be the identifier in the answer of a creation, the likeliest first. */
export function candidatesOf(check: Check, created: Answer): Identifier[] {
  const candidates = [
    ...candidateInLocation(header(created.exchange, 'location') ?? ''),
    ...candidatesIn(created.json, 'create answer'),
  ];
  return likeliestFirst(check, candidates);
}

function describe(answer: Answer, user: NewUser): string {
  if (!answer.ok) return answer.status >= 300 && answer.status < 400 ? ' (a redirect is not followed)' : '';
  const [other] = recordsIn(answer.json);
  return other === undefined ? ' without a user in it' : `, another user than ${user.email}`;
}

function note(check: Check, identifier: Identifier): void {
  check.session.identifierPlace ??= identifier.place;
  check.session.observe('identifier', `${kindOf(identifier.text)}, in the ${identifier.place}`);
}

/**
 * The candidates to try, the one from the place where an identifier was found before first. What holds the key, because
 * the target repeats what was sent, is none: the key belongs in no path.
 */
function likeliestFirst(check: Check, found: Identifier[]): Identifier[] {
  const { client, identifierPlace: place } = check.session;
  const candidates = found.filter(
    ({ text, segment }) => !text.includes(KEY) && [text, segment].every((one) => client.redact(one) === one),
  );
  const same = candidates.filter((candidate) => candidate.place === place);
  const other = candidates.filter((candidate) => candidate.place !== place);
  return [...same, ...other].filter(
    ({ text }, index, all) => all.findIndex((candidate) => candidate.text === text) === index,
  );
}

/** The likeliest of the answers that did not retrieve the user: one of 2xx shows more than a 404. */
async function firstThatRetrieves(
  check: Check,
  user: NewUser,
  candidates: Identifier[],
): Promise<Found | { wrong: Answer | undefined }> {
  let wrong: Answer | undefined;
  for (const identifier of candidates) {
    const retrieved = await check.retrieve(identifier.segment);
    if (retrieved.ok && recordOf(check, retrieved, user)) return { identifier, retrieved };
    if (wrong === undefined || (retrieved.ok && !wrong.ok)) wrong = retrieved;
  }
  return { wrong };
}

/** The user's own record in an answer, or undefined. */
export function recordOf(check: Check, { json }: Answer, user: NewUser): FoundRecord | undefined {
  const others = othersThan(check, user);
  return recordsIn(json).find(({ record }) => isRecordOf(record, user, others));
}

/**
 * The items of a list that are these users', by user: an empty array for a user who is not in it. An item is a user's by
 * its email or, where that is nobody's, by its identifier or name.
 */
export function itemsOf(list: UserList, users: readonly NewUser[], check: Check): Map<NewUser, UserRecord[]> {
  const items = new Map<NewUser, UserRecord[]>(users.map((user) => [user, []]));
  const byEmail = new Map(users.map((user) => [user.email.toLowerCase(), user]));
  const byOther = new Map<string, NewUser>();
  for (const user of users) byOther.set(user.name, user);
  for (const user of users) if ('identifier' in user) byOther.set((user as KnownUser).identifier.text, user);
  for (const item of list.data) {
    if (!isRecord(item)) continue;
    const email = String(item.email).toLowerCase();
    const user = byEmail.get(email) ?? (check.session.sent.has(email) ? undefined : byOtherMember(item, byOther));
    if (user) items.get(user)?.push(item);
  }
  return items;
}

function byOtherMember(item: UserRecord, users: Map<string, NewUser>): NewUser | undefined {
  const names = [...Object.keys(item).filter((name) => /id$|key$|^_id$/i.test(name)), 'name'];
  return names.map((name) => users.get(String(item[name]))).find((user) => user !== undefined);
}

function othersThan(check: Check, user: NewUser): Set<string> {
  const others = new Set(check.session.sent);
  others.delete(user.email.toLowerCase());
  return others;
}

/** A list asked for after this call; callers that wait at the same time share it. Undefined where it can't be read. */
async function freshList(check: Check): Promise<UserList | undefined> {
  const answer = await check.session.freshList(() => check.list());
  return answer.ok ? check.usersOf(answer) : undefined;
}
