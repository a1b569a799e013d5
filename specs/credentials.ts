import type { Answer, Exchange, Request } from '../src/http/exchange.ts';
import {
  differsFromKey,
  KEY,
  KEY_AS_BASIC,
  KEY_CASE_SWAPPED,
  KEY_CUT_AT_END,
  KEY_CUT_AT_START,
  wrongKey,
} from '../src/http/key.ts';
import { BEARER, type Check } from '../src/plan/check.ts';
import { firstList, knownUser } from '../src/plan/known-user.ts';

export type Operation = 'GET /users' | 'POST /users' | 'GET /users/:id';
export const operations: Operation[] = ['GET /users', 'POST /users', 'GET /users/:id'];

/** How a request carries credentials other than the documented ones; no header `authorization` means none is sent. */
export interface CredentialCase {
  what: string;
  headers?: Record<string, string>;
  /** A query, with its question mark. */
  query?: string;
  /** Members put into the body beside email and name; such a case is sent to POST only. */
  members?: Record<string, string>;
}

const authorization = (what: string, value: string): CredentialCase => ({ what, headers: { authorization: value } });

export const missing: CredentialCase = { what: 'no Authorization header' };
export const empty = [
  authorization('an empty Authorization header', ''),
  authorization('the scheme Bearer without a token', 'Bearer'),
];
export const wrong: CredentialCase = { what: 'a wrong key' };
export const cutShort = [
  authorization('the key without its last character', `Bearer ${KEY_CUT_AT_END}`),
  authorization('the key without its first character', `Bearer ${KEY_CUT_AT_START}`),
];
export const extended = [authorization('the key with one character added', `Bearer ${KEY}x`)];
export const caseSwapped = [
  authorization('the key with the case of its letters swapped', `Bearer ${KEY_CASE_SWAPPED}`),
];
export const otherScheme = [
  authorization('the scheme Basic with the key', `Basic ${KEY}`),
  authorization('the scheme Basic with the key in base64', `Basic ${KEY_AS_BASIC}`),
  authorization('the scheme Token with the key', `Token ${KEY}`),
];
export const bare = [authorization('the key without a scheme', KEY)];
export const inQuery: CredentialCase[] = [
  { what: 'the key in the query as access_token', query: `?access_token=${KEY}` },
  { what: 'the key in the query as api_key', query: `?api_key=${KEY}` },
];
export const inOtherHeader: CredentialCase[] = [
  { what: 'the key in X-Api-Key', headers: { 'x-api-key': KEY } },
  { what: 'the key in X-Auth-Token', headers: { 'x-auth-token': KEY } },
  { what: 'the key in Proxy-Authorization', headers: { 'proxy-authorization': `Bearer ${KEY}` } },
];
export const inCookie: CredentialCase[] = [{ what: 'the key in a cookie', headers: { cookie: `access_token=${KEY}` } }];
export const inBody: CredentialCase[] = [
  { what: 'the key in the body as access_token', members: { access_token: KEY } },
  { what: 'the key in the body as api_key', members: { api_key: KEY } },
];

export const malformed = [...empty, ...otherScheme, ...bare];
const credentialCases: CredentialCase[] = [
  missing,
  ...empty,
  wrong,
  ...cutShort,
  ...extended,
  ...caseSwapped,
  ...otherScheme,
  ...bare,
  ...inQuery,
  ...inOtherHeader,
  ...inCookie,
  ...inBody,
];

/** Whether the case can be made with this key (no letters, no other case) and for this operation. */
export function canBeMade(check: Check, one: CredentialCase, operation: Operation): boolean {
  if (one.members !== undefined) return operation === 'POST /users';
  const value = one.headers?.authorization?.replace(/^Bearer /, '');
  return value === undefined || value === '' || value === KEY || differsFromKey(value, check.session.target.apiKey);
}

/** Proves, once in a run, that the operation is carried out with the right key: what a refusal is compared to. */
export async function positiveControl(check: Check, operation: Operation): Promise<void> {
  if (operation === 'POST /users') check.mayCreate();
  if (operation !== 'GET /users') await knownUser(check);
  else if (!(await firstList(check)).ok) check.needs('list.answers');
}

/**
 * Sends an operation with other credentials, once in a run, from a proven request that differs in nothing else.
 * Throws what the positive control throws.
 */
export async function attempt(check: Check, one: CredentialCase, operation: Operation): Promise<Answer> {
  await positiveControl(check, operation);
  return check.fact(`${operation} with ${one.what}`, async (sender) => {
    const answer = await sendAttempt(sender, one, operation);
    // Where the list is open, each answer would keep all its users for the length of the run.
    return { ...answer, json: undefined };
  });
}

async function sendAttempt(check: Check, one: CredentialCase, operation: Operation): Promise<Answer> {
  const headers =
    one === wrong ? { authorization: `Bearer ${wrongKey(check.session.target.apiKey)}` } : (one.headers ?? {});
  if (operation === 'GET /users') return check.send(withQuery(check, '/users', one, headers));
  if (operation === 'GET /users/:id') {
    const { identifier } = await knownUser(check);
    return check.send(withQuery(check, `/users/${identifier.segment}`, one, headers));
  }
  const user = check.session.newUser();
  const creation = check.creation({ ...user, ...one.members }, headers);
  const request = { ...creation, path: `${creation.path}${one.query ?? ''}` };
  return forbidden(check, `POST /users with ${one.what}`, request, [user.email, user.name]);
}

/**
 * The cases that are worth sending to an operation: only the first two where it asks for no key, or takes any, for then
 * the others tell nothing more, create users and fetch lists. Retrieving one user does neither.
 */
export async function worthSending(check: Check, operation: Operation): Promise<CredentialCase[]> {
  if (operation === 'GET /users/:id') return credentialCases.filter((one) => canBeMade(check, one, operation));
  const [open, any] = await Promise.all([missing, wrong].map((one) => attempt(check, one, operation)));
  if (open?.ok) return [missing, wrong];
  const withoutHeader = (one: CredentialCase) => one.headers?.authorization === undefined;
  return credentialCases.filter((one) => canBeMade(check, one, operation) && (!any?.ok || withoutHeader(one)));
}

function withQuery(check: Check, path: string, one: CredentialCase, headers: Record<string, string>): Request {
  return {
    method: 'GET',
    path: `${check.path(path)}${one.query ?? ''}`,
    headers: { accept: 'application/json', ...headers },
  };
}

/** Sends a creation that must not be carried out, and keeps it for the look whether it was. */
export async function forbidden(check: Check, what: string, request: Request, traces: string[]): Promise<Answer> {
  const answer = await check.send(request);
  check.session.forbidden.push({ what, request, traces, exchange: answer.exchange });
  return answer;
}

/** Whether a request carries just the documented credentials, the right key in the Authorization header. */
export function isAuthorised({ request }: Exchange): boolean {
  return request.headers.authorization === BEARER.authorization;
}
