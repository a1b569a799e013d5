import type { Answer, Exchange } from '../../http/exchange.ts';
import { isSilent } from '../../http/failure.ts';
import { type BadCreation, FAILURES_ALONE, isFailure, onceMore, patienceOf, sendBad } from '../bad.ts';
import type { Context } from '../context.ts';
import { createUser, safe, untilTold, whyUntold } from '../create.ts';
import { Missing } from '../evidence.ts';
import { candidatesOf, type Identifier } from '../identifier.ts';
import { type Creation, isTold } from '../ledger.ts';
import type { Read } from '../record.ts';
import { retrieve } from '../seek.ts';
import { type CaseStep, caseStep } from '../step.ts';
import type { NewUser } from '../users.ts';
import { firstUsers, USUAL } from './first.ts';

/** An invalid body, sent as JSON; it differs in one thing from one that is proven good. */
export interface BodyCase {
  what: string;
  /** The text of the body, and what of the user would show in one that is made of it all the same. */
  make: (user: NewUser) => { body: string; traces: Partial<NewUser>; query?: string };
}

/** What came of such a creation. */
export interface Refusal {
  what: string;
  creation: Creation;
  exchange: Exchange;
  /** 0 where it was never answered. */
  status: number;
  ok: boolean;
  /** Where it was never answered, each time that it was sent: all these times. */
  unanswered?: Exchange[];
}

/** The creation of such a case. */
export function bodyRequest(run: Context, { what, make }: BodyCase): BadCreation {
  const user = run.factory.make();
  const { body, traces, query = '' } = make(user);
  const request = run.creating(body);
  return {
    request: { ...request, path: request.path + query },
    draft: { what, fate: 'must-not', inCompany: true, user, traces },
  };
}

export const bodies: CaseStep<BodyCase, Refusal> = caseStep({
  name: 'bodies that no user can be made of',
  needs: { users: firstUsers },
  bad: true,
  early: () => true,
  mostAlone: FAILURES_ALONE,
  each: sendBody,
  alone: (run, one: BodyCase, found) => alone(run, found, () => sendBody(run, one)),
});

/** Sends once more what the service failed by. Throws Missing where it fails by plain creations as well. */
async function alone<R extends Refusal>(run: Context, found: R, same: () => Promise<R>): Promise<R> {
  const again = await onceMore(run, found, same);
  const isSince = ({ fate, answered, exchange }: Creation) =>
    fate === 'must' && answered === 'created' && (exchange?.id ?? 0) > found.exchange.id;
  if (isFailure(again) && !run.ledger.creations.some(isSince)) {
    const { creation } = await createUser(run, USUAL, 'must', { inCompany: true });
    if (creation.answered === 'refused')
      throw new Missing('a plain creation fails as well', creation.exchange ? [creation.exchange] : []);
  }
  return again;
}

async function sendBody(run: Context, one: BodyCase): Promise<Refusal> {
  return (await send(run, () => bodyRequest(run, one)))[0];
}

/** A body in which the email or the name is no string. */
export interface MistypedCase {
  what: string;
  member: 'email' | 'name';
  value: unknown;
}

/** What came of it: refusing it and turning the value into a string are both possible. */
export interface MistypedCreation extends Refusal {
  one: MistypedCase;
  candidates: Identifier[];
}

/** The creation of such a case. */
export function mistypedRequest(run: Context, { what, member, value }: MistypedCase): BadCreation {
  const user = run.factory.make();
  const traces = member === 'email' ? { name: user.name } : { email: user.email };
  const request = run.creating({ ...user, [member]: value });
  return { request, draft: { what, fate: 'may', inCompany: true, user, traces } };
}

export const mistyped: CaseStep<MistypedCase, MistypedCreation> = caseStep({
  name: 'emails and names that are no strings',
  needs: { users: firstUsers },
  bad: true,
  mostAlone: FAILURES_ALONE,
  each: sendMistyped,
  alone: (run, one: MistypedCase, found) => alone(run, found, () => sendMistyped(run, one)),
});

async function sendMistyped(run: Context, one: MistypedCase): Promise<MistypedCreation> {
  const [refusal, { exchange, ok, json }] = await send(run, () => mistypedRequest(run, one));
  return { ...refusal, one, candidates: ok ? safe(candidatesOf(exchange, json), run) : [] };
}

/** What is stored of a user whose email or name is no string, as retrieving shows it. */
export const mistypedStored: CaseStep<MistypedCase, Read | undefined> = caseStep({
  name: 'what became of emails and names that are no strings',
  needs: { sent: mistyped },
  each: async (run, one: MistypedCase, { sent }) => {
    const { creation, candidates } = sent(one);
    for (const identifier of candidates.slice(0, TRIED)) {
      const read = await retrieve(run, creation, identifier);
      if (read.ok && read.record) return read;
    }
    return undefined;
  },
});

/** Candidates for the identifier that are tried: where the user is in the list it is found there as well. */
const TRIED = 2;

/** How often a body is tried where no answer says what became of it. */
const TRIES = 3;

/** How often one is sent that nobody answers. */
const SILENT_TRIES = 2;

/**
 * Sends such a creation; where no answer comes, or a 503, one of another user. One that the service keeps silent on, while it
 * answers others, was not carried out. Throws Missing where it can't be told.
 */
async function send(run: Context, make: () => BadCreation): Promise<[Refusal, Answer]> {
  const silent: Exchange[] = [];
  const { what, creation, answer } = await untilTold(
    TRIES,
    async () => {
      const bad = make();
      // What it leaves behind on its connection meets nobody.
      const sent = await run.client.onOneConnection((connection) =>
        sendBad(run, { ...bad, request: { ...bad.request, connection } }, 'record', patienceOf(run)),
      );
      const { exchange } = sent.answer;
      if (isSilent(exchange.failure) && exchange.attempts > 0) silent.push(exchange);
      return { what: bad.draft.what, ...sent };
    },
    () => silent.length === SILENT_TRIES || run.silentSince(0).length > 0,
  );
  const { exchange, status, ok } = answer;
  const refusal = { what, creation, exchange, status, ok };
  if (silent.length === SILENT_TRIES) return [{ ...refusal, unanswered: silent }, answer];
  if (!isTold(answer)) throw whyUntold(answer);
  if (!ok) run.observe('refusal of an invalid body', `${status}`);
  return [refusal, answer];
}
