import { header, isAnswered } from '../../http/exchange.ts';
import { KEY } from '../../http/key.ts';
import { textOf } from '../../http/value.ts';
import { type Context, settledLook } from '../context.ts';
import { excluded, known, Missing, type OrMissing, orMissing, present } from '../evidence.ts';
import { candidatesIn, kindOf, mayBeShared } from '../identifier.ts';
import type { Creation } from '../ledger.ts';
import { isContradictory, isReadable, type Look } from '../look.ts';
import { lookForObstacle } from '../obstacles.ts';
import { isFine, isOf, members, readUser } from '../record.ts';
import { type CreateResult, createUser, mustBeCreated, safe, sendBad } from '../requests.ts';
import { isHidden, isKnown, type KnownUser, prove, readAgain, search, seek, type UserSearch } from '../seek.ts';
import { maybe, type Step, step, type YieldOf } from '../step.ts';

/** The list before anything is created. */
export const firstLook = step({
  name: 'first look',
  needs: {},
  each: async (run) => {
    const look = await run.lookUntil((one) => !isContradictory(one));
    await lookForObstacle(run, look);
    return look;
  },
});

/** The first user, retrieved when nobody else of the run is there; in read-only mode one of the list. */
export const firstUser = step({
  name: 'first user',
  needs: { look: firstLook },
  each: async (run, _, { look }) => {
    if (run.settings.readOnly) return listedUser(run, look);
    const one = mustBeCreated(await twice(() => createUser(run), isRefused));
    // A list of one is a case of its own; where others are there already, none is to be had.
    const isAlone = isReadable(look) && look.total === 0;
    const found = () => twice(() => search(run, one), isUpset);
    const [sought] = await Promise.all([found(), isAlone && settledLook(run, look), askForLaterUser(run, one)]);
    if (sought.identifier === undefined || !mayBeShared(sought.identifier)) return prove(run, sought);
    // A status or a role may answer as well, such as `active` with a list: what a second user has there too is no
    // identifier.
    await createUser(run);
    await settledLook(run, look);
    return seek(run, one);
  },
});

/** Where users are counted, asks for one whom the run creates later: that there was nobody must not be kept. */
async function askForLaterUser(run: Context, { candidates: [likely] }: CreateResult): Promise<void> {
  if (likely === undefined || kindOf(likely.text) !== 'integer') return;
  await sendBad(run, { request: run.retrieval(`${BigInt(likely.text) + 5n}`) });
}

/**
 * Once more where it is wrong: the requests before may have upset the service, so that what follows them fails once.
 */
export async function twice<T>(find: () => Promise<T>, isWrong: (one: T) => boolean): Promise<T> {
  const first = await find();
  return isWrong(first) ? find() : first;
}

const isRefused = ({ creation }: CreateResult) => creation.answered === 'refused';
const isUpset = (sought: UserSearch) => !isKnown(sought) && sought.tries.some((one) => one.isUpset);

/**
 * In read-only mode: a user of the list, as if the run had created it. Throws Missing where none of it can be
 * retrieved.
 */
async function listedUser(run: Context, look: Look): Promise<UserSearch> {
  if (!isReadable(look)) throw new Missing("the list response can't be read", [look.exchange]);
  const [item = {}] = look.sample;
  const [email, name] = [textOf(members(item).email), textOf(members(item).name)];
  if (email === undefined || name === undefined) throw excluded('read-only, and the list shows no user to retrieve');
  const user = { email, name };
  const what = 'a user of the list';
  const creation: Creation = { what, fate: 'must', inCompany: false, user, traces: user, answered: 'created' };
  run.ledger.enter(creation);
  for (const other of look.sample) run.ledger.show(other, candidatesIn(other, 'list item'));
  const sought = await seek(run, { creation, candidates: safe(candidatesIn(item, 'list item'), run) });
  const { read } = sought;
  if (isKnown(sought) || read?.ok || (read && !isAnswered(read.exchange))) return sought;
  // Nobody knows whether the list shows identifiers at all.
  throw excluded('read-only, and no value in the list retrieves its user', [read?.exchange]);
}

/** The creation of the second user, together with others. */
export const secondUser: Step<CreateResult> = step({
  name: 'second user',
  needs: { first: firstUser },
  each: async (run, _, _given, before) => {
    if (run.settings.readOnly) throw excluded('read-only: it needs a second user');
    return createUser(run, { inCompany: before === undefined });
  },
  isRight: (created) => !isRefused(created),
});

/**
 * The first two users. The second is retrieved, and the first once more, among others. In read-only mode there is one
 * user, of the list. Where who was created among others is not retrieved, alone either, the second is one who was
 * created alone in that place, and `trial` says so.
 */
export type FirstUsers = YieldOf<typeof firstUsers>;

export const firstUsers = step({
  name: 'first users',
  needs: { first: firstUser, created: maybe(secondUser) },
  each: async (run, _, { first, created }, before?: unknown) => {
    const seeking = orMissing(async () => seek(run, mustBeCreated(known(created))));
    if (before) await seeking;
    const reading = orMissing(async () => ({ ...mustBeKnown(first), ...(await readAgain(run, first.creation)) }));
    const [second, again] = await Promise.all([seeking, reading]);
    const found = { first, second, again, trial: undefined };
    // A service that shows another user for the first one as well has lost nobody among others.
    if (!before || second instanceof Missing || isHidden(second) || isShown(second) || !isShown(again)) return found;
    const alone = await orMissing(async () => seek(run, mustBeCreated(await createUser(run))));
    if (!isShown(alone)) return found;
    const one = { what: 'the second user' };
    return { ...found, second: alone, trial: { one, first: second, usual: second, again: alone } };
  },
  isRight: ({ second, again }) => present([second, again]).every(isShown),
});

/** Whether an answer shows the user that was asked for, and nobody else. */
export const isShown = (one: OrMissing<UserSearch>): one is UserSearch =>
  !(one instanceof Missing) && one.read !== undefined && isFine(one.read);

/**
 * The user that most steps look at: the first of the two, or that of a turn, among those who were retrieved. Throws
 * Missing where none was.
 */
export function firstKnown(users: OrMissing<FirstUsers>, turn = 0): KnownUser {
  const { first, second } = known(users);
  const found = present([first, second]).filter(isKnown);
  return found[turn % found.length] ?? mustBeKnown(first);
}

/** Throws Missing, with what shows it, where the first two users are not retrieved as they were sent. */
export function mustBeProven({ first, second, again }: FirstUsers): void {
  for (const one of [first, second, again]) mustBeAsSent(known(one));
}

/** Throws Missing, with what shows it, where a user is not retrieved as it was sent. */
export function mustBeAsSent(sought: UserSearch): void {
  const { creation, read } = mustBeKnown(sought);
  if (read.others.length > 0 || !isOf(read.record, creation.user))
    throw new Missing('even plain users are not retrieved as they were sent', [read.exchange]);
}

/** A user whose identifier is known. Throws Missing, with what shows that it is not. */
export function mustBeKnown(sought: UserSearch): KnownUser {
  if (isKnown(sought)) return sought;
  throw whyUnknown(sought);
}

/** Why a user could not be looked at. */
export function whyUnknown(sought: UserSearch): Missing {
  const { creation, read, look } = sought;
  const why = isHidden(sought)
    ? 'no response shows the identifier: the create response lacks it, and the list is paginated'
    : (read?.exchange.failure ?? 'no user could be retrieved');
  return new Missing(why, [creation.exchange, read?.exchange, look?.exchange]);
}

/** The Locations of the first two users, followed where they don't say the path that retrieved the user already. */
export const locations = step({
  name: 'locations',
  needs: { users: firstUsers },
  each: (run, _, { users: { first, second } }) =>
    Promise.all(present([first, second]).map((user) => locate(run, user))),
});

/**
 * Where the answer of a creation says that the new user is. It is followed only where it is an http or https address at
 * the target's own origin, without the key.
 */
async function locate(run: Context, sought: UserSearch) {
  const created = sought.creation.exchange;
  if (created === undefined) throw excluded('read-only: nothing is created');
  const { creation, read } = mustBeKnown(sought);
  const location = header(created, 'location');
  run.observe('Location of the create response', location === undefined ? 'absent' : 'present');
  const path = pathAt(location, run, created.request.path);
  const found = { created, status: created.response?.status ?? 0, location, isOwn: path !== undefined };
  const isRead = path === read.exchange.request.path;
  if (path === undefined || isRead) return { ...found, leadsToUser: isRead, followed: undefined };
  const at = readUser(await run.send({ ...run.retrieval(''), path }), creation, run.ledger);
  return { ...found, leadsToUser: isFine(at), followed: at.exchange };
}

/** The path of a Location at the target's own origin (RFC 9110, section 10.2.2); undefined for any other, or none. */
function pathAt(location: string | undefined, { client: { origin, secrets } }: Context, createdAt: string) {
  const base = `${origin}${createdAt}`;
  if (location === undefined || secrets.holds(location) || location.includes(KEY)) return undefined;
  if (!URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  return /^https?:$/.test(url.protocol) && url.origin === origin ? `${url.pathname}${url.search}` : undefined;
}
