import type { Answer } from '../src/http/exchange.ts';
import type { Check } from '../src/plan/check.ts';
import { oddIdentifiers } from '../src/plan/identifier.ts';
import { knownUser } from '../src/plan/known-user.ts';
import { attempt, forbidden, type Operation, operations, worthSending } from './credentials.ts';
import { type InvalidBody, invalidBodies, type Mistyped, mistypedBodies } from './request-bodies.ts';

/** Sends a body that no user can be made of, once in a run, from a creation that is proven good. */
export async function sendInvalid(check: Check, invalid: InvalidBody): Promise<Answer> {
  await knownUser(check);
  return check.fact(`creation with ${invalid.what}`, (sender) => {
    const { body, traces } = invalid.make(sender.session.newUser());
    return forbidden(sender, `POST /users with ${invalid.what}`, sender.creation(body), traces);
  });
}

/** Sends a body with a member that is no string, once in a run. */
export async function sendMistyped(check: Check, mistyped: Mistyped): Promise<Answer> {
  await knownUser(check);
  return check.fact(`creation with ${mistyped.what}`, async (sender) => {
    const user = sender.session.newUser();
    sender.session.mistyped.add(mistyped.member === 'email' ? user.name : user.email);
    const answer = await sender.create({ ...user, [mistyped.member]: mistyped.value });
    sender.session.uncertain.add(answer.exchange);
    return answer;
  });
}

/** Retrieves an identifier that nobody would give to a user, once in a run. */
export function sendOdd(check: Check, { what, segment }: (typeof oddIdentifiers)[number]): Promise<Answer> {
  return check.fact(`retrieval of ${what}`, (sender) => sender.retrieve(segment));
}

/** Sends every creation that must not be carried out, once in a run; whatever comes back is for others to judge. */
export async function sendForbiddenCreations(check: Check): Promise<void> {
  await Promise.allSettled([
    sendAttempts(check, 'POST /users'),
    ...invalidBodies.map((invalid) => sendInvalid(check, invalid)),
  ]);
}

/** Sends every operation with every other credentials, once in a run; what comes back is for others to judge. */
export async function sendRefused(check: Check): Promise<void> {
  await Promise.allSettled(operations.map((operation) => sendAttempts(check, operation)));
}

async function sendAttempts(check: Check, operation: Operation): Promise<void> {
  const cases = await worthSending(check, operation);
  await Promise.allSettled(cases.map((one) => attempt(check, one, operation)));
}

/** Sends every invalid or mistyped body and odd identifier, once in a run; what comes back is for others to judge. */
export async function sendMalformed(check: Check): Promise<void> {
  await Promise.allSettled([
    ...invalidBodies.map((invalid) => sendInvalid(check, invalid)),
    ...mistypedBodies.map((mistyped) => sendMistyped(check, mistyped)),
    ...oddIdentifiers.map((odd) => sendOdd(check, odd)),
  ]);
}

/** The answer's status is 4xx. */
export function isClientError(check: Check, { status, exchange }: Answer): void {
  check.that(status >= 400 && status < 500, 'a 4xx status', `${status}`, exchange);
}
