import { type Connection, endOf, isAnswered, type Request } from '../http/exchange.ts';
import type { Context } from './context.ts';
import { candidatesIn, distinct, type Identifier, isLikely, kindOf, segmentOf } from './identifier.ts';
import type { Creation } from './ledger.ts';
import { isPaged, isReadable, type Look } from './look.ts';
import { isFine, type Read, readUser } from './record.ts';
import { type CreateResult, safe, type Write } from './requests.ts';

/**
 * What came of looking for a user by every value that may be the identifier: the one that retrieves the user; the
 * answer that shows the user, or else the most telling of those that do not; what came of each value that was tried, in
 * order; and the list in which the identifier was looked for, where that was necessary.
 */
export type UserSearch = Awaited<ReturnType<typeof search>>;

/** A user whose identifier is known. */
export type KnownUser = UserSearch & { identifier: Identifier; read: Read };

/** Candidates that are tried again while the user may only lag. */
const LIKELY = 6;

/**
 * Finds the identifier of a user: it is the value that retrieves the user. Tries the place where it was found for other
 * users first, then every other value of the create answer, then those of the user's item in the list; again until the
 * settle time has passed since the creation.
 */
export async function seek(run: Context, created: CreateResult): Promise<UserSearch> {
  const sought = prove(run, await search(run, created));
  const { creation, read } = sought;
  if (!isKnown(sought) && !isHidden(sought) && read && isAnswered(read.exchange)) creation.missed = read;
  return sought;
}

/** Enters into the ledger what retrieved a user. */
export function prove(run: Context, sought: UserSearch): UserSearch {
  if (isKnown(sought)) {
    run.ledger.prove(sought.creation, sought.identifier, sought.read);
    const { text, place } = sought.identifier;
    run.observe('identifier', `${kindOf(text)}, in the ${place}`);
  }
  return sought;
}

/** The same without entering it into the ledger. */
export async function search(run: Context, { creation, candidates }: CreateResult) {
  creation.isSought = true;
  const tries: Try[] = [];
  let look: Look | undefined;
  const round = async () => {
    const before = tries.length;
    const own = inOrder(run, [...candidates, ...safe(sentCandidates(run, creation), run)]);
    await tryAll(run, creation, before === 0 ? own : own.slice(0, LIKELY), tries);
    if (!tries.some(isHit)) {
      look = await run.freshLook();
      await tryAll(run, creation, inOrder(run, listedCandidates(run, look, creation)), tries);
    }
    return tries.slice(before);
  };
  // Looking again changes nothing where the user is found, or where nothing of what came instead may be stale.
  const isPlaced = ({ isExpected, identifier }: Try) => isExpected || run.ledger.places.includes(identifier.place);
  const isOver = (last: Try[]) =>
    tries.some(isHit) ||
    (tries.some(({ isUpset }) => isUpset) && !last.some((one) => isPlaced(one) && mayBeNotFound(run, one.read)));
  await run.until(round, isOver, endOf(creation.exchange));
  const hit = tries.find(({ read }) => isFine(read)) ?? tries.find(isHit);
  // Where the likely value got no answer, what others were answered says nothing.
  const lost = tries.findLast(({ isExpected, read }) => isExpected && !isAnswered(read.exchange));
  const read = (hit ?? lost ?? [...tries].sort((a, b) => tells(b) - tells(a))[0])?.read;
  return { creation, identifier: hit?.identifier, read, tries, look };
}

/**
 * What was sent may be the identifier itself, where others were found by their email or name: an email also in lower
 * case, because its case may be folded.
 */
function sentCandidates({ ledger: { places } }: Context, { user }: Creation): Identifier[] {
  const texts = { email: [user.email, user.email.toLowerCase()], name: [user.name] };
  return (['email', 'name'] as const).flatMap((member) => {
    const place = places.find((one) => one.endsWith(`: ${member}`));
    return place === undefined ? [] : texts[member].map((text) => ({ text, segment: segmentOf(text), place }));
  });
}

/** Users of a list who are compared with the one that is looked for. */
const COMPARED = 5;

/** What may be the identifier in a user's item of a list. */
function listedCandidates(run: Context, { ours }: Look, creation: Creation): Identifier[] {
  const others = [...ours].filter(([one]) => one !== creation).slice(0, COMPARED);
  for (const [one, [item]] of others) run.ledger.show(one, candidatesIn(item, 'list item'));
  const own = safe(candidatesIn(ours.get(creation)?.[0], 'list item'), run);
  run.ledger.show(creation, own);
  return own;
}

/** The statuses by which a service says that a user is not there. */
const NOBODY = [404, 410];

/** Statuses with which a fresh user may be missing: a permission, or a check of the identifier, may lag as well. */
const MAY_LAG = [...NOBODY, 400, 403];

/**
 * Whether an answer may only be stale: a 2xx without any user, or one that says that nobody is there. Once requests
 * were refused that is a 404 or 410, or what this service said before: anything else may be what these have upset.
 */
function mayLag(run: Context, { exchange, ok, others, unreadable }: Read): boolean {
  const status = exchange.response?.status ?? 0;
  if (NOBODY.includes(status) || (ok && others.length === 0 && !unreadable)) return true;
  return MAY_LAG.includes(status) && (run.ledger.lags || !mayBeUpset(run));
}

/**
 * Whether bad requests went out since the first user was created: those before are few, and one asks for nobody beside
 * that user.
 */
function mayBeUpset({ bad, ledger }: Context): boolean {
  const first = ledger.creations.find(({ fate }) => fate === 'must')?.exchange?.id ?? Number.POSITIVE_INFINITY;
  return [...bad].filter((id) => id > first).length > 1;
}

/** Whether it may be the way in which this service says that a value is no identifier, or not yet. */
function mayBeNotFound(run: Context, read: Read): boolean {
  const status = read.exchange.response?.status ?? 0;
  return mayLag(run, read) || (status >= 400 && status < 500 && ![401, 403, 407].includes(status));
}

/** Candidates from the places that have proven right first, each value once, without what several users have. */
function inOrder({ ledger }: Context, candidates: Identifier[]): Identifier[] {
  const { places } = ledger;
  const rank = ({ place }: Identifier) => (places.includes(place) ? places.indexOf(place) : places.length);
  return distinct(candidates.filter((one) => !ledger.isShared(one)).sort((a, b) => rank(a) - rank(b)));
}

/** Retrieves by one candidate after the other until one retrieves the user; notes each try. */
async function tryAll(run: Context, creation: Creation, candidates: Identifier[], tries: Try[]): Promise<void> {
  for (const identifier of candidates) {
    const before = tries.filter((one) => one.identifier.segment === identifier.segment);
    // What was answered wrongly is not asked again: it would hide the fault.
    if (before.some(({ isUpset }) => isUpset)) continue;
    const one = await tryOne(run, creation, identifier);
    tries.push(one);
    // A role or a group may lead to all who have it.
    if (!isFine(one.read)) continue;
    // Where the same path has said before that the user is not there yet, the service lags, and may say so in each way.
    run.ledger.lags ||= before.some(({ read }) => MAY_LAG.includes(read.exchange.response?.status ?? 0));
    return;
  }
}

/** What came of one value that may be the identifier. */
export type Try = Awaited<ReturnType<typeof tryOne>>;

async function tryOne(run: Context, creation: Creation, identifier: Identifier) {
  /** Whether it stands where an identifier is expected, or where those of two users were found. */
  const isExpected = isLikely(identifier) || isProven(run, identifier);
  const read = await retrieve(run, creation, identifier);
  /**
   * Whether it is expected, and was answered by something else than that nobody is there. A count or a version that is
   * somebody else's identifier by chance says nothing.
   */
  const isUpset = isExpected && !mayBeNotFound(run, read);
  /** Whether it stands where those of two users were found, and leads to a user who has another identifier. */
  const isAnother = read.ok && isProven(run, identifier) && hasAnotherOwner(run, identifier, read);
  return { identifier, read, isExpected, isUpset, isAnother };
}

/** Whether a try has found the user. */
const isHit = ({ read }: Try) => read.ok && read.record !== undefined;

/** Whether an identifier stands where those of two users were found: what one of them had there may be chance. */
const isProven = ({ ledger }: Context, { place }: Identifier): boolean =>
  ledger.proven.filter(({ identifier }) => identifier?.place === place).length > 1;

/** Whether an answer shows a user of the run who was retrieved by another identifier, and not this one beside it. */
function hasAnotherOwner({ ledger }: Context, { text }: Identifier, { others, exchange }: Read): boolean {
  if (exchange.response?.body.split(/[^\w-]+/).includes(text)) return false;
  return ledger.proven.some(({ user, identifier }) => others.includes(user.email) && identifier?.text !== text);
}

/**
 * How much an answer says on what is wrong: another user most, then a 2xx, then a failure, then what a likely value
 * got.
 */
function tells({ read: { ok, others, exchange }, isExpected }: Try): number {
  if (ok) return others.length > 0 ? 4 : 3;
  return (exchange.response?.status ?? 0) >= 500 ? 2 : isExpected ? 1 : 0;
}

/** Retrieves a user once. */
export const retrieve = async (run: Context, creation: Creation, { segment }: Identifier): Promise<Read> =>
  readUser(await run.send(run.retrieval(segment)), creation, run.ledger);

/** A user who was retrieved before, as the creation says, and what came of one more retrieval. */
export type KnownRead = Awaited<ReturnType<typeof readAgain>>;

/**
 * Retrieves a user who was retrieved before, again within the settle time while what comes is only stale. Every further
 * read of a user goes this way.
 */
export async function readAgain(run: Context, creation: Creation, connection: Connection = 'kept', write?: Write) {
  const usual: Request = { ...run.retrieval((creation.identifier as Identifier).segment), connection };
  const request = write?.(usual, run) ?? usual;
  const look = async () => readUser(await run.send(request), creation, run.ledger);
  // Where nobody is no 2xx, one without the user says nothing of an older state.
  const isNew = ({ ok, record }: Read) => ok && (record !== undefined || run.ledger.saysNobody);
  const isOver = (read: Read) => isNew(read) || !mayLag(run, read);
  return { creation, read: await run.until(look, isOver, endOf(creation.exchange)) };
}

/** Whether a user was found. */
export const isKnown = (sought: UserSearch): sought is KnownUser => sought.identifier !== undefined;

/**
 * What came of the value that should be the identifier of a listed user, where it leads to another one. Who is nowhere
 * was lost when created.
 */
export function anotherFor(search: UserSearch): Read | undefined {
  if (isKnown(search) || !search.look?.ours.has(search.creation)) return undefined;
  return search.tries.findLast(({ isAnother }) => isAnother)?.read;
}

/** Whether anything was tried that stands where an identifier is expected. */
export const isExpected = ({ tries }: UserSearch) => tries.some((one) => one.isExpected);

/**
 * Whether no answer shows anything that should be the identifier, and the list, which pages, does not show the user.
 */
export function isHidden(search: UserSearch): boolean {
  const { identifier, creation, look } = search;
  const isOffPage = look !== undefined && isReadable(look) && isPaged(look) && !look.ours.has(creation);
  return identifier === undefined && !isExpected(search) && isOffPage;
}
