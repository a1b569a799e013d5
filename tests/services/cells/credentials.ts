import { fillIn } from '../../../src/http/key.ts';
import { type CredentialCase, MARK } from '../../../src/plan/steps/credentials.ts';
import { jsonOf } from '../broken/broken.ts';
import type { Patch, Reply, Request, Service } from '../service.ts';

const CREDENTIALS =
  /^(authorization|proxy-authorization|cookie|x-(api-key|auth-token|forwarded-\w+|remote-user|original-url|rewrite-url|http-method-override))$/;

/** The paths of the operation that a request may be, as the case spells it; none where it is another request. */
function usualPaths(
  { operation, spelling = (path) => path, base = (path) => path }: CredentialCase,
  { method, path }: Request,
  service: Service,
) {
  if (method !== operation.slice(0, operation.indexOf(' '))) return [];
  const paths = operation.endsWith(':id') ? service.users.map(({ id }) => `/users/${id}`) : ['/users'];
  return paths.flatMap((one) => (`${base(service.base)}${spelling(one)}` === path ? [`${service.base}${one}`] : []));
}

/** Another key of the same shape: it differs in more than a character or the case. */
function isWrongKey(token: string, key: string): boolean {
  const same = [...token].filter((letter, at) => letter.toLowerCase() === key[at]?.toLowerCase()).length;
  return token.length === key.length && same < key.length - 1;
}

/** Whether a request is just what a case declares. */
function isCase(one: CredentialCase, request: Request, service: Service, path: string): boolean {
  const { key } = service;
  const headers = Object.entries(request.headers).filter(([name]) => CREDENTIALS.test(name) || name in one.headers);
  const expected = Object.entries(one.headers);
  const isHeader = ([name, value]: [string, string]) => {
    const got = request.headers[name];
    if (value === MARK.ownCookies) return got === OWN_COOKIE;
    if (value === MARK.idempotencyKey) return got !== undefined;
    if (value.includes(MARK.wrongKey)) return isWrongKey(`${got}`.replace('Bearer ', ''), key);
    const expected = fillIn(value, key).replace(MARK.path, path);
    return name === 'cookie' ? `${got}`.split('; ').includes(expected) : got === expected;
  };
  const query = new URLSearchParams(fillIn(one.query ?? '', key));
  // What is tried together with others is let in among these, too.
  if (one.kind !== undefined) {
    const members = request.method === 'POST' ? (jsonOf(request) as Record<string, unknown> | undefined) : {};
    return (
      request.headers.authorization === undefined &&
      expected.every(isHeader) &&
      [...query].every(([name, value]) => request.query.get(name) === value) &&
      Object.entries(one.members ?? {}).every(([name, value]) => members?.[name] === fillIn(value, key))
    );
  }
  const isBody = one.body === undefined ? isUser(request.body, one.members, key) : request.body === one.body;
  return (
    headers.length === expected.length &&
    expected.every(isHeader) &&
    `${request.query}` === `${query}` &&
    (request.method === 'GET' || isBody)
  );
}

function isUser(body: string, members: Record<string, string> = {}, key: string): boolean {
  try {
    const { email, name, ...further } = JSON.parse(body) as Record<string, unknown>;
    const expected = Object.fromEntries(Object.entries(members).map(([member, value]) => [member, fillIn(value, key)]));
    return (
      typeof email === 'string' && typeof name === 'string' && JSON.stringify(further) === JSON.stringify(expected)
    );
  } catch {
    return false;
  }
}

/** What a service does wrong with a request that it should refuse, by the requirement that tells. */
function faultOf(slug: string, service: Service, request: Request, path: string): Reply | Promise<Reply> {
  const challenge = { 'www-authenticate': 'Bearer' };
  if (slug === 'authentication.refusal-shows-no-user') {
    return { status: 401, headers: challenge, body: { error: 'unauthorized', user: service.users[0] } };
  }
  if (slug === 'authentication.challenge') return { status: 401, body: {} };
  if (slug === 'authentication.scheme-case') return { status: 401, headers: challenge };
  if (/\.(status-|before-)/.test(slug)) return { status: 418, body: {} };
  return service.handle({
    ...request,
    path,
    query: new URLSearchParams(),
    headers: { ...request.headers, authorization: `Bearer ${service.key}` },
  });
}

/** The cookie that a service sets where it takes its own in the place of the key. */
const OWN_COOKIE = 'sid=42';

function setsCookie(service: Service): void {
  const { write } = service;
  service.write = (response, reply, request) =>
    write(response, { ...reply, headers: { ...reply.headers, 'set-cookie': OWN_COOKIE } }, request);
}

/** A service that does one thing wrong: with requests of one case, on one operation. */
export const wrongWith =
  (slug: string, one: CredentialCase): Patch =>
  (service) => {
    const { handle } = service;
    const used = new Set<object>();
    if (one.headers.cookie === MARK.ownCookies) setsCookie(service);
    service.handle = (request) => {
      // Where the case hides the path, its headers tell which one is meant.
      const path = usualPaths(one, request, service).find((usual) => isCase(one, request, service, usual));
      const isDue = !one.used || used.has(request.connection);
      if (request.headers.authorization === `Bearer ${service.key}`) used.add(request.connection);
      if (path === undefined || !isDue) return handle(request);
      return faultOf(slug, { ...service, handle }, request, path);
    };
  };
