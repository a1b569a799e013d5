import type { Operation } from '../../../src/history/history.ts';
import { type Case, CREATE, LIST, OPERATIONS } from '../../../src/requirement/case.ts';
import type { Requirement } from '../../../src/requirement/requirement.ts';
import { jsonOf } from '../broken/broken.ts';
import type { Patch, Reply, Request, Service, User } from '../service.ts';
import { markOf } from './mark.ts';

/** The wrong response of a service to the requests of one case. */
type Fault = (service: Service, request: Request, testCase: Case) => Reply | Promise<Reply>;

const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** Carries a request out like the usual request with the key. */
const carryOut: Fault = (service, request, { operation, phase }) => {
  if (operation === LIST) return service.list(request);
  if (operation === CREATE) return created(service, request);
  // Before the first creation of the run, only users from before exist, with any identifier.
  if (phase === 'before users') return { status: 200, body: service.record(NOBODY) };
  return newestUser(service);
};

const NOBODY: User = { id: 'x', email: 'nobody@example.org', name: 'No Body' };

/** Creates a user of the members of a body; missing members get a default. */
function created(service: Service, request: Request): Reply {
  const { email = 'a@example.org', name = 'A B' } = sentMembers(request);
  const user: User = { id: service.newId(), email: `${email}`, name: `${name}` };
  service.store(user);
  return service.created(user);
}

const sentMembers = (request: Request): Partial<User> => {
  const body = jsonOf(request);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
};

const newestUser = (service: Service): Reply => {
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

/** Stores members as they were sent, whatever their type. */
const storeAsSent: Fault = (service, request) => {
  const user = { ...sentMembers(request), id: service.newId() } as User;
  service.store(user);
  return service.created(user);
};

/** Stores another name than the one that was sent. */
const storeOther: Fault = (service, request) => {
  const sent = sentMembers(request);
  const user = { email: `x${sent.email}`, name: `${sent.name}x`, id: service.newId() };
  service.store(user);
  return service.created(user);
};

/** Returns the response to a creation without storing the user. */
const forget: Fault = (service, request) =>
  service.created({ ...sentMembers(request), id: service.newId() } as User);

/** Returns the first user who has the email or the name. */
const returnFirst: Fault = (service, request) => {
  const { email = '', name } = sentMembers(request);
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
  [/^retrieve\.(unknown|odd)-status$/, status(200)],
  [/./, carryOut],
];

/** Users who are created at the same moment as one with the same email or name. */
const isRival = ({ phase }: Case) => phase === 'together';

function faultOf(slug: string, testCase: Case): Fault {
  if (/^create\.same-/.test(slug)) return isRival(testCase) ? forget : returnFirst;
  return FAULTS.find(([pattern]) => pattern.test(slug))?.[1] ?? carryOut;
}

/** Responds to the requests of one case as the requirement forbids it. */
export function wrongWith({ slug }: Requirement, testCase: Case): Patch {
  const fault = faultOf(slug, testCase);
  // A user that is lost under concurrency must exist after the creation is sent again, alone.
  const isOnce = slug === 'create.concurrent';
  return (service) => {
    const { handle } = service;
    let times = 0;
    service.handle = (request) => {
      if (markOf(request) !== testCase) return handle(request);
      times += 1;
      return isOnce && times > 1
        ? handle(request)
        : fault({ ...service, handle }, request, testCase);
    };
  };
}

/** Whether a requirement judges the requests after its cases. */
export const judgesFollowUps = ({ slug }: Requirement): boolean =>
  slug === 'http.survives-bad-requests';

/** Rejects the next valid request of an operation after each request of a case. */
export function failsAfter(testCase: Case, operation: Operation): Patch {
  const isGivenUp = testCase.name.includes('aborted');
  return (service) => {
    const { handle } = service;
    let isDue = false;
    // An aborted request never arrives completely.
    service.gone = () => {
      isDue = isGivenUp;
    };
    service.handle = (request) => {
      if (markOf(request) === testCase) {
        isDue = true;
        return handle(request);
      }
      if (!isDue || operationOf(request, service) !== operation) return handle(request);
      isDue = false;
      return { status: 400, body: { error: 'try again' } };
    };
  };
}

/** Rejects a valid request of an operation if it directly follows one of these cases. */
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

/** Integer identifiers and a key that begins with digits. Some cases need them. */
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

/** Sends a cookie and an ETag with each response. Some cases send them back. */
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
