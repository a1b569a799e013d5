import { type Answer, asksToWait, type Exchange } from '../src/http/exchange.ts';
import type { Check } from '../src/plan/check.ts';
import { anotherUser, baseline, itemsOf, knownUser, plainUser } from '../src/plan/known-user.ts';
import { isCreated } from '../src/plan/session.ts';
import type { UserList } from '../src/plan/user-list.ts';
import { isOutcome } from '../src/requirement/outcome.ts';
import { LATE_CREATION_MS } from '../src/settings/limits.ts';
import { isAuthorised } from './credentials.ts';

// What checks of the last phase look at: the record of the whole run, and the list at its end.

/**
 * Every answered exchange of the run so far; where a filter left out all other checks, at least those of one user.
 * Throws NotVerified when nothing was answered.
 */
export async function wholeRecord(check: Check): Promise<Exchange[]> {
  const end = await knownUser(check).catch((error) => error);
  const answered = check.session.client.record.filter(({ response }) => response && !asksToWait(response.status));
  if (answered.length === 0) throw end;
  return answered;
}

/** The answered exchanges of a documented operation with the documented credentials. */
export async function authorised(check: Check, method: string, path: RegExp): Promise<Exchange[]> {
  const base = check.session.client.basePath;
  return (await wholeRecord(check)).filter((exchange) => {
    const { request } = exchange;
    const below = request.path.startsWith(base) ? request.path.slice(base.length) : '';
    return request.method === method && path.test(below) && isAuthorised(exchange);
  });
}

/**
 * The answer of `GET /users` when all other creations are over, whatever it is. A user is created after the last one that
 * had to be refused: once that user is shown, what a refused creation has made would be, too. Asked for again within the
 * settle time until it counts as many users as were created and, unless the service pages, shows every one once.
 */
export function lastList(check: Check): Promise<Answer> {
  return check.fact('last list', async (finder) => {
    const { session } = finder;
    // Where a filter left out what creates users, there must be some all the same before the list is looked at.
    if (!session.settings.readOnly) await anotherUser(finder).catch(onlyOutcome);
    const lastForbidden = Math.max(0, ...session.forbidden.map(({ exchange }) => exchange.at + exchange.duration));
    if (session.forbidden.length > 0) await finder.pause(lastForbidden + LATE_CREATION_MS - session.client.now());
    const later = session.users.some(({ created }) => created !== undefined && created.at > lastForbidden);
    if (!later && !session.settings.readOnly) await plainUser(finder).catch(onlyOutcome);
    return finder.settled(
      () => finder.list(),
      (answer) => isComplete(finder, answer),
    );
  });
}

/** The last list, read. */
export async function finalList(check: Check): Promise<UserList> {
  return check.usersOf(await lastList(check));
}

/** The first user and the list, read once more after the last list: reads alone lie between the two lists. */
export function lateReads(check: Check): Promise<{ user: Answer | undefined; total: number }> {
  return check.fact('late reads', async (finder) => {
    await lastList(finder);
    const known = await knownUser(finder).catch(onlyOutcome);
    const read = async () => (known ? await finder.retrieve(known.identifier.segment) : undefined);
    const user = await finder.settled(read, (answer) => answer?.ok !== false);
    const { total } = finder.usersOf(await finder.list());
    return { user, total };
  });
}

/** Whether nothing is missing from a list that a lagging read could miss; a list that can't be read never is. */
async function isComplete(check: Check, answer: Answer): Promise<boolean> {
  try {
    const list = check.usersOf(answer);
    const before = await baseline(check);
    const { least } = creationsBetween(check, before, answer);
    const items = [...itemsOf(list, check.session.users, check).values()];
    return list.total >= before.total + least && (list.pages || items.every(({ length }) => length === 1));
  } catch (error) {
    onlyOutcome(error);
    return true;
  }
}

/** Lets pass what a check may end with: it is told by another requirement. A fault of the suite goes on. */
function onlyOutcome(error: unknown): void {
  if (!isOutcome(error)) throw error;
}

/** How many users the run has created between two lists: at least, and at most. */
export function creationsBetween(
  check: Check,
  before: { exchange: Exchange },
  after: { exchange: Exchange },
): { least: number; most: number } {
  const { client, forbidden, uncertain } = check.session;
  const [from, to] = [before.exchange.id, after.exchange.id];
  const created = client.record.filter((exchange) => isCreated(exchange) && exchange.id > from && exchange.id < to);
  const unsure = created.filter(
    (exchange) => uncertain.has(exchange) || forbidden.some((creation) => creation.exchange === exchange),
  );
  return { least: created.length - unsure.length, most: created.length };
}
