import { type Answer, isAnswered, type Request } from '../http/exchange.ts';
import { KEY } from '../http/key.ts';
import { isObject } from '../http/value.ts';
import { CREATION_TRIES } from '../settings/limits.ts';
import type { Context } from './context.ts';
import { Missing } from './evidence.ts';
import { candidatesOf, type Identifier } from './identifier.ts';
import type { Creation, Fate } from './ledger.ts';
import { readUser } from './read.ts';
import { bounded } from './record.ts';
import type { UserKind } from './users.ts';

/** How often a creation is tried with another user, where nobody knows what became of the one before. */
const TRIES = 4;

/** A creation that was answered, and what may be the new user's identifier. */
export interface CreateResult {
  creation: Creation;
  /** The likeliest first. What holds the key is left out: the key belongs in no path. */
  candidates: Identifier[];
}

/** How a user is created. */
export interface Way {
  /** Writes the usual request in another way that means the same. */
  write?: ((request: Request) => Request) | undefined;
  /** Whether other requests are under way. */
  inCompany?: boolean;
}

/**
 * Creates a user of a kind, written by `write` where that is not as usual. After an answer that says nothing of the creation
 * (none, a 503, a gateway's) it is tried with another user, because the first one may exist. Throws Missing in read-only
 * mode.
 */
export async function createUser(
  run: Context,
  kind: Partial<UserKind> & { what: string },
  fate: Fate,
  { write = (request) => request, inCompany = false }: Way = {},
): Promise<CreateResult> {
  for (let tries = 1; ; tries += 1) {
    const user = run.factory.make(kind);
    const creation = { what: kind.what, fate, inCompany, user, traces: user };
    // The last try takes no chance with a kept connection that may just be closed.
    const usual = run.creating(user);
    const request = write(usual);
    if (fate === 'must') mustBeShort(run, request, usual);
    const safely = tries < TRIES ? request : { ...request, connection: 'new' as const };
    const [entered, answer] = await run.create(creation, safely);
    const most = answer.status === 503 ? CREATION_TRIES : TRIES;
    if (entered.answered === 'unknown' && tries < most && hasHope(answer)) continue;
    if (fate === 'must' && answer.ok) {
      run.observe('create status', `${answer.status}`);
      run.observe('create answer', shows(answer, entered, run));
    }
    if (answer.ok && answer.status !== 202) entered.shown = recordIn(answer, entered, run);
    const candidates = answer.ok ? safe(candidatesOf(answer.exchange, answer.json), run) : [];
    run.ledger.show(entered, candidates);
    return { creation: entered, candidates };
  }
}

/** Throws Missing where a body is longer than usual, and than any that was accepted: a service may limit its size. */
function mustBeShort({ ledger }: Context, { body = '' }: Request, usual: Request): void {
  const accepted = ledger.creations.filter(({ answered }) => answered === 'created');
  const longest = Math.max(0, ...accepted.map(({ exchange }) => exchange?.request.body?.length ?? 0));
  if (body.length <= (usual.body ?? '').length || body.length <= longest) return;
  throw new Missing('its body is longer than any that the service has accepted', [], { excluded: true });
}

/** Whether the next request may be answered: a target that was given up gets none. */
function hasHope({ exchange }: Answer): boolean {
  return isAnswered(exchange) || exchange.attempts > 0;
}

/** The identifiers that can be sent: those that do not hold the key, and are a path segment of their own. */
export function safe(candidates: Identifier[], { client: { mayBeSent } }: Context): Identifier[] {
  const isSafe = (text: string) => mayBeSent(text) && !text.includes(KEY) && !['', '.', '..'].includes(text);
  return candidates.filter(({ text, segment }) => isSafe(text) && isSafe(segment));
}

/** The user's record in the answer of a creation, or else its whole body. */
function recordIn(answer: Answer, creation: Creation, run: Context): Record<string, unknown> {
  return readUser(answer, creation, run.ledger).record ?? (isObject(answer.json) ? bounded(answer.json) : {});
}

/** What the answer of a creation shows of the user, which is free. */
function shows(answer: Answer, creation: Creation, run: Context): string {
  if (answer.exchange.response?.bodyBytes === 0) return 'empty';
  const { record } = readUser(answer, creation, run.ledger);
  if (record === undefined) return 'without the user';
  const { email, name } = creation.user;
  return record.email === email && record.name === name ? 'shows the user' : 'shows other values';
}
