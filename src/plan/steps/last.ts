import { endOf, LISTS, type Request } from '../../http/exchange.ts';
import { textOf } from '../../http/value.ts';
import { type Context, isDueIn, settledLook } from '../context.ts';
import { Missing, orMissing, present } from '../evidence.ts';
import { segmentOf } from '../identifier.ts';
import type { Creation } from '../ledger.ts';
import { isPaged, isReadable, type Look } from '../look.ts';
import { bounded, isFine, isOf, isRecord, members, type Read, recordsIn } from '../record.ts';
import { createUser, safe, USUAL } from '../requests.ts';
import { type KnownRead, readAgain } from '../seek.ts';
import { maybe, step, type Tried, tryAgain, type YieldOf } from '../step.ts';
import { firstKnown, firstLook, firstUsers, twice } from './first.ts';

/**
 * The least time between the last refused creation and the look whether it was carried out after all: a queue on the
 * same machine is emptied by then, and a default run is hardly longer for it.
 */
const LATE_CREATION_MS = 100;

/** The last looks: the list when all is created, and the list once more, with reads alone between. */
export const lastLooks = step({
  name: 'last looks',
  needs: { first: firstLook, users: maybe(firstUsers) },
  each: async (run, _, { first, users }) => {
    // On new connections: what was kept may still be upset by what was refused, which others look at. The lists share
    // one: a process that keeps a list, and does not hear of what another has created, answers it again.
    const [last, once] = await Promise.all([settledLook(run, first, LISTS), orMissing(() => createAtEnd(run))]);
    if (isReadable(last)) run.observe('list', isPaged(last) ? 'pages' : 'shows all users');
    await untilLateCreationsShow(run, last);
    const [later, firstUser, unread, unlisted, old] = await Promise.all([
      // The list after nothing but reads.
      settledLook(run, last, LISTS),
      orMissing(async () => readOnceMore(run, firstKnown(users).creation)),
      readUnread(run),
      readUnlisted(run, last),
      existingUsers(run, last),
    ]);
    const created = once instanceof Missing ? once : await againAlone(run, once);
    // How many users the run has made between the first look and the last: at least, and at most.
    const made = run.ledger.count(last.exchange);
    const grown = await lookAfterCreation(run, first, later);
    return { first, last, later, grown, made, firstUser, unread, created, unlisted, old };
  },
});

export type LastLooks = YieldOf<typeof lastLooks>;

/**
 * Reads two users once more: the second or later one who was not read for the longest time, because what holds so many
 * users at most forgets that one first; and one with letters outside ASCII, because what keeps responses may count them
 * as bytes.
 */
async function readUnread(run: Context): Promise<KnownRead[]> {
  const lastRead = new Map(run.client.record.map(({ request, id }) => [request.path, id]));
  const at = ({ identifier }: Creation) => lastRead.get(run.retrieval(identifier?.segment ?? '').path) ?? 0;
  const [, ...others] = run.ledger.proven;
  others.sort((one, other) => at(one) - at(other));
  const chosen = [others.find(({ fate }) => fate === 'must'), others.find(({ user }) => /\P{ASCII}/u.test(user.name))];
  return Promise.all(present(chosen).map((creation) => readOnceMore(run, creation)));
}

/** What is wrong once, among rejected requests, is a matter of its own. */
const readOnceMore = (run: Context, creation: Creation) => twice(() => readAgain(run, creation, 'new'), isWrong);
const isWrong = ({ read }: KnownRead) => !isFine(read);

/**
 * A plain creation after all that no service carries out, while the last list is fetched. Throws Missing where no
 * creation was answered before, either.
 */
async function createAtEnd(run: Context, inCompany = true): Promise<Creation> {
  run.mayCreate();
  if (!run.ledger.creations.some(({ answered }) => answered === 'created')) throw new Missing('no user was created');
  // On a new connection as well: it comes after the list.
  const write = (request: Request): Request => ({ ...request, connection: 'new' });
  return (await createUser(run, { inCompany, write })).creation;
}

/**
 * Where it is rejected, one more, alone. A refusal that comes again is no matter of what was sent before, unless the
 * service fails.
 */
function againAlone(run: Context, first: Creation): Promise<Tried<Creation>> {
  const isRight = ({ answered }: Creation) => answered !== 'refused';
  const usual = () => createAtEnd(run, (first.exchange?.response?.status ?? 0) >= 500);
  return tryAgain({ one: USUAL, first }, { isRight, usual });
}

/** Users of ours that must be shown before a list is taken for one that shows all and counts wrongly. */
const MANY = 5;

/**
 * Where the list shows fewer users than its total, and is no page: the list after one more creation, and the user of
 * ours who is missing before, if there is one. A page is as long as before when there is one user more; what shows one
 * more and lacks as many as before, of ours as well, is no page. What lacks more than one of ours, such as a page of so
 * many bytes, or is read alone, is left open.
 */
async function lookAfterCreation(run: Context, first: Look, before: Look) {
  if (!isReadable(before) || !isPaged(before) || run.settings.readOnly || before.ours.size < MANY) return undefined;
  const dueIn = (one: Look) => run.ledger.creations.filter((creation) => isDueIn(one, creation));
  const [due, missingIn] = [dueIn(before), (one: Look) => dueIn(one).filter((creation) => !one.ours.has(creation))];
  const [missing, another] = missingIn(before);
  const lack = ({ total, shown }: Look) => total - shown;
  // A list that showed all at first lacks what the run itself has done to its total.
  const isOurs = missing !== undefined || (isReadable(first) && [0, lack(before)].includes(lack(first)));
  if (another || !isOurs) return undefined;
  // A shorter list that lacked the same user, and no other, tells as well that it is no page.
  const lacksTheSame = (one: Look) => missingIn(one).length === 1 && missingIn(one)[0] === missing;
  const isShorter = (one: Look) => isReadable(one) && one.shown < before.shown && one.ours.size >= MANY;
  const wasShorter = run.lists.some((one) => isShorter(one) && lack(one) === lack(before) && lacksTheSame(one));
  if (missing && wasShorter) return { look: before, missing };
  const { creation } = await createUser(run);
  if (creation.answered !== 'created') return undefined;
  await settledLook(run, before, 'new');
  const isNoPage = (one: Look) =>
    isReadable(one) &&
    one.shown > before.shown &&
    lack(one) === lack(before) &&
    [...due, creation].filter((user) => !one.ours.has(user)).length === (missing ? 1 : 0);
  // What lags behind others who write all the time lacks now more, now less.
  const look = await run.lookUntil((one) => !isNoPage(one));
  return isNoPage(look) ? { look, missing } : undefined;
}

/**
 * A refused creation before this list must not be carried out later either: what a queue does with one of its kind
 * shows by then.
 */
async function untilLateCreationsShow(run: Context, last: Look): Promise<void> {
  const isBefore = ({ exchange }: Creation) => exchange !== undefined && exchange.id < last.exchange.id;
  const refused = run.ledger.creations.filter((one) => one.fate === 'must-not' && isBefore(one));
  const first = new Map(refused.reverse().map((one) => [one.what, endOf(one.exchange)]));
  if (first.size === 0) return;
  run.client.closeIdle();
  run.onRest?.();
  await run.client.deadline.pause(Math.max(...first.values()) + LATE_CREATION_MS - run.client.now());
}

/** Users who were retrieved before and are not in the last list: a few of them, retrieved once more. */
async function readUnlisted(run: Context, last: Look): Promise<Map<Creation, Read>> {
  const reads = new Map<Creation, Read>();
  if (!isReadable(last) || isPaged(last)) return reads;
  const missing = run.ledger.proven.filter((creation) => !last.ours.has(creation));
  for (const creation of missing.slice(0, 5)) reads.set(creation, (await readAgain(run, creation)).read);
  return reads;
}

/**
 * Retrieves some of the users whom the run has not created: those whose items show an identifier in the place where the
 * items of our users show theirs. Where the answer is not what the list shows, others may have changed or deleted the
 * user meanwhile, so both are asked once more.
 */
async function existingUsers(run: Context, last: Look) {
  const { identifierMember: place, sample } = last;
  if (place === undefined || !isReadable(last)) return [];
  const usersOf = async (look: Look, items: Item[]) =>
    present(await Promise.all(items.map((item) => existingUser(run, look, item, place))));
  const found = await usersOf(last, sample);
  const doubtful = found.filter((one) => !isOf(one.record, one));
  if (doubtful.length === 0) return found;
  // What the list itself shows otherwise by now somebody else is changing.
  const watch = (item: Item) => doubtful.some((one) => one.identifier.text === textOf(item[place]) && isOf(item, one));
  const look = await run.look({ watch });
  return [...found.filter((one) => !doubtful.includes(one)), ...(await usersOf(look, look.watched))];
}

type Item = Record<string, unknown>;

/**
 * A user as the list shows it, and what its identifier retrieves: this user, or another one, or no record. Undefined
 * where the list shows no user, or no identifier.
 */
async function existingUser(run: Context, look: Look, item: Item, place: string) {
  const { email, name } = members(item);
  const text = textOf(item[place]);
  if (typeof email !== 'string' || typeof name !== 'string' || !text?.isWellFormed()) return undefined;
  const [identifier] = safe([{ text, segment: segmentOf(text), place: `list item: ${place}` }], run);
  if (identifier === undefined) return undefined;
  const { exchange, json } = await run.send(run.retrieval(identifier.segment));
  // A hundred are looked at. What the list shows of a user was bounded in the same way.
  const all = recordsIn(json).filter((one) => isRecord(one.record));
  const records = all.slice(0, 100).map((one) => ({ ...one, record: bounded(one.record) }));
  const own = records.find(({ record }) => isOf(record, { email, name }));
  // Where retrieving shows a user of the run.
  const shown = own ?? records.find(({ path }) => path === run.ledger.proven[0]?.read?.path) ?? records[0];
  return { email, name, identifier, look, exchange, record: shown?.record };
}
