import type { Check, UserList } from '../src/check.ts';
import type { Exchange } from '../src/exchange.ts';
import { baseline, itemsOf, knownUser } from '../src/known-user.ts';
import { LATE_CREATION_MS } from '../src/limits.ts';
import { isCreated } from '../src/session.ts';
import { isAuthorised } from './credentials.ts';

// What checks of the last phase look at: the record of the whole run, and the list at its end.

/**
 * Every answered exchange of the run so far; where a filter left out all other checks, at least those of one user.
 * Throws NotVerified when nothing was answered.
 */
export async function wholeRecord(check: Check): Promise<Exchange[]> {
  const end = await knownUser(check).catch((error) => error);
  const answered = check.session.client.record.filter(({ response }) => response !== undefined);
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
 * The list when all creations are over: asked for again within the settle time until it counts as many users as were
 * created and, unless the service pages, shows every plain one.
 */
export function finalList(check: Check): Promise<UserList> {
  return check.fact('final list', async (finder) => {
    await knownUser(finder).catch(() => undefined);
    const { users } = finder.session;
    const before = await baseline(finder);
    await finder.pause(LATE_CREATION_MS - sinceLastForbidden(finder));
    const { least } = creationsSince(finder, before.answer.exchange.at);
    return finder.settled(
      async () => finder.usersOf(await finder.list()),
      (list) =>
        list.total >= before.total + least &&
        (list.pages || [...itemsOf(list, users, finder).values()].every((items) => items.length === 1)),
    );
  });
}

/** Milliseconds since the last creation that must not be carried out was answered; Infinity without one. */
function sinceLastForbidden({ session }: Check): number {
  const ends = session.forbidden.map(({ exchange }) => exchange.at + exchange.duration);
  return session.client.now() - Math.max(Number.NEGATIVE_INFINITY, ...ends);
}

/** How many users the run has created since a moment (milliseconds since its start): at least, and at most. */
export function creationsSince(check: Check, moment: number): { least: number; most: number } {
  const { record } = check.session.client;
  const created = record.filter((exchange) => isCreated(exchange) && exchange.at >= moment);
  const { forbidden, uncertain } = check.session;
  const unsure = created.filter(
    (exchange) => uncertain.has(exchange) || forbidden.some((creation) => creation.exchange === exchange),
  );
  return { least: created.length - unsure.length, most: created.length };
}
