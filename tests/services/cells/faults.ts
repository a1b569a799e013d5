import type { Operation } from '../../../src/history/history.ts';
import { type Case, CREATE, LIST, OPERATIONS } from '../../../src/requirement/case.ts';
import type { Requirement } from '../../../src/requirement/requirement.ts';
import { jsonOf } from '../broken/broken.ts';
import type { Patch, Reply, Request, Service, User } from '../service.ts';
import { markOf } from './mark.ts';

/** What a service does wrong with the requests of one case. */
type Fault = (service: Service, request: Request, one: Case) => Reply | Promise<Reply>;

const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** Carries a request out as if it were the usual one with the key. */
const carryOut: Fault = (service, request, { operation, phase }) => {
  if (operation === LIST) return service.list(request);
  if (operation === CREATE) return created(service, request);
  // Before the run's first user, those who are there may have any identifier.
  if (phase === 'before users') return { status: 200, body: service.record(NOBODY) };
  return found(service);
};

const NOBODY: User = { id: 'x', email: 'nobody@example.org', name: 'No Body' };

/** Creates a user of what a body holds, with strings for what is missing. */
function created(service: Service, request: Request): Reply {
  const { email = 'a@example.org', name = 'A B' } = usersMembers(request);
  const user: User = { id: service.newId(), email: `${email}`, name: `${name}` };
  service.store(user);
  return service.created(user);
}

const usersMembers = (request: Request): Partial<User> => {
  const body = jsonOf(request);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
};

const found = (service: Service): Reply => {
  const user = service.users.at(-1);
  return user ? { status: 200, body: service.record(user) } : service.missing('');
};

const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  () => ({ status: code, headers, body: {} });

const showUser: Fault = ({ users }) => ({
  status: 401,
  headers: CHALLENGE,
  body: { error: 'unauthorized', user: users.at(-1) },
});

const showKey: Fault = ({ key }) => ({ status: 400, body: { error: `${key} is not allowed` } });

const keepSilent: Fault = () => new Promise(() => {});

/** Stores a value as it was sent, whatever its type. */
const storeAsSent: Fault = (service, request) => {
  const user = { ...usersMembers(request), id: service.newId() } as User;
  service.store(user);
  return service.created(user);
};

/** Stores another name than the one that was sent. */
const storeOther: Fault = (service, request) => {
  const sent = usersMembers(request);
  const user = { email: `x${sent.email}`, name: `${sent.name}x`, id: service.newId() };
  service.store(user);
  return service.created(user);
};

/** Answers as if the user were created, and forgets it. */
const forget: Fault = (service, request) =>
  service.created({ ...usersMembers(request), id: service.newId() } as User);

/** Returns the first user who has the email or the name. */
const takeForFirst: Fault = (service, request) => {
  const { email = '', name } = usersMembers(request);
  const first = service.users.find((user) => {
    return user.name === name || user.email.toLowerCase() === email.toLowerCase();
  });
  return first ? service.created(first) : created(service, request);
};

/** The fault of each requirement with cases; the first pattern that matches. */
const FAULTS: [slug: RegExp, fault: Fault][] = [
  [/^authentication\.refusal-shows-no-user$/, showUser],
  [/^authentication\.challenge$/, status(401)],
  [/^authentication\.scheme-case$/, status(401, CHALLENGE)],
  [/^authentication\.(status-|before-all-else)/, status(418)],
  [/^authentication\.key-not-in-answers$/, showKey],
  [/^http\.no-server-error$/, status(500)],
  [/^http\.(equivalent-requests|chunked-body|media-type)$/, status(406)],
  [/^create\.answers$/, status(400)],
  [/^create\.(invalid|mistyped)-status$/, status(302, { location: '/' })],
  [/^create\.answered$/, keepSilent],
  [/^create\.strings-only$/, storeAsSent],
  [/^create\.(concurrent|accepted-exists)$/, forget],
  [/^round-trip\./, storeOther],
  [/^retrieve\.unknown.*status$/, status(200)],
  [/./, carryOut],
];

/** Users who are created at the same moment as one with the same email or name. */
const isRival = ({ phase }: Case) => phase === 'together';

function faultOf(slug: string, one: Case): Fault {
  if (/^create\.same-/.test(slug)) return isRival(one) ? forget : takeForFirst;
  return FAULTS.find(([pattern]) => pattern.test(slug))?.[1] ?? carryOut;
}

/** Does the requests of one case wrong, as the requirement forbids it. */
export function wrongWith({ slug }: Requirement, one: Case): Patch {
  const fault = faultOf(slug, one);
  // A user who is lost among others is there if the creation is sent again, alone.
  const isOnce = slug === 'create.concurrent';
  return (service) => {
    const { handle } = service;
    let times = 0;
    service.handle = (request) => {
      if (markOf(request) !== one) return handle(request);
      times += 1;
      return isOnce && times > 1 ? handle(request) : fault({ ...service, handle }, request, one);
    };
  };
}

/** Whether a requirement judges what follows its cases. */
export const judgesFollowUps = ({ slug }: Requirement): boolean =>
  slug === 'http.survives-bad-requests';

/** Rejects the next valid request of an operation after each request of a case. */
export function failsAfter(one: Case, operation: Operation): Patch {
  const isGivenUp = one.name.includes('aborted');
  return (service) => {
    const { handle } = service;
    let isDue = false;
    // A request that is given up half-way never arrives as a whole.
    service.gone = () => {
      isDue = isGivenUp;
    };
    service.handle = (request) => {
      if (markOf(request) === one) {
        isDue = true;
        return handle(request);
      }
      if (!isDue || operationOf(request, service) !== operation) return handle(request);
      isDue = false;
      return { status: 400, body: { error: 'try again' } };
    };
  };
}

/** Rejects a request of an operation directly after each negative one that may disturb. */
export function failsDirectlyAfter(cases: ReadonlySet<Case>, operation: Operation): Patch {
  return (service) => {
    const { handle } = service;
    let isDue = false;
    service.handle = (request) => {
      const wasDue = isDue;
      const mark = markOf(request);
      isDue = mark !== undefined && cases.has(mark);
      if (isDue || !wasDue || operationOf(request, service) !== operation) return handle(request);
      return { status: 400, body: { error: 'try again' } };
    };
  };
}

function operationOf({ method, path }: Request, { base }: Service): Operation {
  if (method === 'POST') return CREATE;
  return path === `${base}/users` ? LIST : (OPERATIONS[2] as Operation);
}

/** Integer identifiers and a key that begins with digits: some cases are made of these alone. */
export const withIntegers: Patch = (service) => {
  service.key = '4711_live_k3y-Of.0815';
  let next = 1000;
  service.newId = () => {
    next += 1;
    return next;
  };
};

/** Rejects a creation that is not sent as JSON. */
export const acceptsOnlyJson: Patch = (service) => {
  const { create } = service;
  service.create = (request) => {
    const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
    return isJson ? create(request) : { status: 415, body: { error: 'send JSON' } };
  };
};

/** Responses with a cookie and an ETag, which some cases send back. */
export const withCookiesAndTags: Patch = (service) => {
  const { handle } = service;
  let version = 0;
  service.handle = async (request) => {
    const reply = await handle(request);
    version += 1;
    const headers = { ...reply.headers, 'set-cookie': 'sid=42', etag: `"v${version}"` };
    return { ...reply, headers };
  };
};
