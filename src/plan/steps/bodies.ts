import type { Answer, Exchange } from '../../http/exchange.ts';
import { isSilent } from '../../http/failure.ts';
import type { Context } from '../context.ts';
import { Missing } from '../evidence.ts';
import { candidatesOf } from '../identifier.ts';
import type { Creation } from '../ledger.ts';
import { asBrowserAtTimes, createUser, mustBeTold, patienceOf, safe, sendBad, untilTold } from '../requests.ts';
import { retrieve } from '../seek.ts';
import { badStep, isFailure, type Step } from '../step.ts';
import type { NewUser } from '../users.ts';
import { firstUsers } from './first.ts';

/** An invalid body, sent as JSON; it differs in one thing from one that is proven good. */
export interface BodyCase {
  what: string;
  /** The text of the body, and what of the user would show in one that is made of it all the same. */
  make: (user: NewUser) => { body: string; traces: Partial<NewUser> };
}

/**
 * A body in which the email or the name is no string: refusing it and turning the value into a string are both
 * possible. In the value `$own` stands for the string that the user would have there.
 */
export interface MistypedCase {
  what: string;
  member: 'email' | 'name';
  value: unknown;
}

/** The creation of such a case. */
export function bodyRequest(run: Context, one: BodyCase | MistypedCase) {
  const user = run.factory.make();
  const { body, traces } = 'make' in one ? one.make(user) : mistypedBody(one, user);
  const fate = 'make' in one ? 'must-not' : 'may';
  const draft = { what: one.what, user, fate, traces } as const;
  return { request: asBrowserAtTimes(run, one.what, run.creating(body)), draft };
}

function mistypedBody({ member, value }: MistypedCase, user: NewUser) {
  const { [member]: _, ...traces } = user;
  const sent: unknown = JSON.parse(JSON.stringify(value).replaceAll('$own', user[member]));
  return { body: { ...user, [member]: sent }, traces };
}

const bodyStep = <C extends BodyCase | MistypedCase>(name: string): Step<BodyResult<C>, C> =>
  badStep({
    name,
    needs: { users: firstUsers },
    // While valid creations are in flight.
    early: () => 3,
    each: async (run, one: C, _, before) => {
      const found = { one, ...(await send(run, one)) };
      if (before && isFailure(found)) await mustCreatePlainUsers(run, before.exchange);
      return found;
    },
  });

export const bodies = bodyStep<BodyCase>('bodies that no user can be made of');

export const mistyped = bodyStep<MistypedCase>('emails and names that are no strings');

/** Throws Missing where plain creations have failed as well since an exchange. */
async function mustCreatePlainUsers(run: Context, { id }: Exchange): Promise<void> {
  const isSince = (one: Creation) => one.fate === 'must' && one.answered === 'created' && (one.exchange?.id ?? 0) > id;
  if (run.ledger.creations.some(isSince)) return;
  const { creation } = await createUser(run, { inCompany: true });
  if (creation.answered === 'refused') throw new Missing('a plain creation fails as well', [creation.exchange]);
}

/** What is stored of a user who may be created, as retrieving shows it; undefined where that shows nobody. */
async function storedBy(run: Context, creation: Creation, { exchange, json }: Answer) {
  // Two are enough: where the user is in the list it is found there as well.
  for (const identifier of safe(candidatesOf(exchange, json), run).slice(0, 2)) {
    const read = await retrieve(run, creation, identifier);
    if (read.ok && read.record) return read;
  }
  return undefined;
}

/**
 * What came of such a creation. Of one that may be accepted, and was, it has what is stored, as retrieving shows it;
 * where it was never answered, all the times that it was sent.
 */
export type BodyResult<C = { what: string }> = { one: C } & Awaited<ReturnType<typeof send>>;

/**
 * Sends such a creation; where no answer comes, or a 503, one of another user. One that the service keeps silent on,
 * while it answers others, was not carried out. Throws Missing where it can't be told.
 */
async function send(run: Context, one: BodyCase | MistypedCase) {
  const silent: Exchange[] = [];
  const { answer } = await untilTold(async () => {
    const bad = bodyRequest(run, one);
    // What it leaves behind on its connection meets nobody.
    const answer = await run.client.onOneConnection((connection) =>
      sendBad(run, { ...bad, request: { ...bad.request, connection } }, 'record', patienceOf(run)),
    );
    const { exchange } = answer;
    if (isSilent(exchange.failure) && exchange.attempts > 0) silent.push(exchange);
    return { answer };
  }, run);
  const { exchange, status, ok } = answer;
  const creation = run.ledger.creationOf(exchange.id) as Creation;
  const stored = ok && creation.fate === 'may' ? await storedBy(run, creation, answer) : undefined;
  // Silence once may be chance.
  const unanswered = silent.length > 1 ? silent : undefined;
  if (!unanswered) mustBeTold(answer);
  if (!unanswered && !ok) run.observe('status for an invalid body', `${status}`);
  return { creation, exchange, status, ok, stored, unanswered };
}
