import type { Expected, NewUser } from '../history/creation.ts';
import type { Operation } from '../history/history.ts';
import type { Request } from '../http/exchange.ts';
import { BEARER, withKnownMarks } from '../http/key.ts';

export const LIST = 'GET /users';
export const CREATE = 'POST /users';
export const RETRIEVE = 'GET /users/:id';
export const OPERATIONS: readonly Operation[] = [LIST, CREATE, RETRIEVE];

/** Texts that are unique to one user of one run, for an email and a name. */
export interface OwnParts {
  /** Such as `ada.malorine7`. */
  local: string;
  /** The run's tag and the number of the user, such as `malorine7`. */
  tag: string;
  /** The run's tag in digits, and the number of the user. */
  digits: string;
  /** Such as `@example.com`. */
  domain: string;
  /** Such as `Malorine Baah`. */
  name: string;
  /** One word for a name, such as `Baahmalorine`. */
  word: string;
}

/**
 * The special email or name of a user; absent members are plain. Each is made from the texts of the
 * user, or from another user of the run.
 */
export interface UserKind {
  email?: (own: OwnParts, other: NewUser) => string;
  name?: (own: OwnParts, other: NewUser) => string;
}

/** The values with which a case may change a request. */
export interface CaseContext {
  /** The path of the base address, without a slash at its end. */
  basePath: string;
  /** The user that a POST creates, or would create if it were valid. */
  user: NewUser;
  /** The identifier of the user that a GET retrieves; absent if no user could be retrieved. */
  identifier?: string;
  /** All identifiers that retrieved a user so far. */
  identifiers: readonly string[];
  /** A wrong key of the same form. */
  wrongKey: string;
  /** Whether a token, written with marks, differs from the key. */
  isWrongKey: (token: string) => boolean;
  /** Whether such a token is the key, a JWT, with another spelling of its signature. */
  isSameSignature: (token: string) => boolean;
  /** The cookies that the service has set, as a Cookie header; undefined if there are none. */
  cookies: string | undefined;
  /** The names of headers in responses, and those that `Vary` names there. */
  headerNames: readonly string[];
  /** The Idempotency-Key of an accepted creation; undefined if none had one. */
  idempotencyKey: string | undefined;
  /** The ETag of the first retrieval. */
  userTag: string | undefined;
  /** The ETag of a list from before the last creation. */
  listTag: string | undefined;
  /** A request to retrieve the first user. */
  retrieval: Request | undefined;
}

/**
 * Changes a usual request. Several requests are alternatives: the next is sent if the identifier of
 * the one before belongs to a user. Undefined if this key, identifier or service has no such
 * variation.
 */
export type Change = (usual: Request, context: CaseContext) => ChangedRequest;

type ChangedRequest = Request | Request[] | undefined;

/** The phase in which a case is sent; see `run()`. */
export type CasePhase =
  | 'before users'
  | 'valid'
  | 'together'
  | 'twins'
  | 'disturbing'
  | 'one by one'
  | 'negative'
  | 'free'
  | 'end'
  | 'valid at the end';

/** A change to a usual request, which is proven to work. */
export interface Case {
  /** The name of the change. With the operation, it is unique within a requirement. */
  name: string;
  /** The operation whose usual request is changed. */
  operation: Operation;
  /** Makes the request of the case. */
  change: Change;
  /** Absent: `negative`. */
  phase?: CasePhase;
  /** The required result of a POST; absent: `rejected`. */
  expected?: Expected;
  /** The user of a POST; absent: a plain one. */
  user?: UserKind;
  /**
   * The user that a GET retrieves. `first`: the first user of the run; `existing`: one from before
   * the run, if the list shows the identifier; absent: another user for each case.
   */
  known?: 'first' | 'existing';
  /**
   * What is sent just before. `usual`: the usual request of a POST, or a retrieval, on the same
   * connection; `authorized`: the same request with the right key, which a cache may store.
   */
  before?: 'usual' | 'authorized';
  /** Whether the identifier belongs to no user, so that no user may be returned. */
  isNobodys?: true;
  /** Whether a creation is sent a dozen times, with nothing else in flight, if it is rejected. */
  isRepeated?: true;
  /** Whether a server may close the connection without a response. */
  mayBeSilent?: true;
  /** The observation of a freedom, name and value, if the response to a retrieval shows the user. */
  observed?: [name: string, value: string];
  /** Whether the user that shares an email or name with a new one is retrieved again afterwards. */
  rereadsShared?: true;
}

/** Whether a result, or a case that was not sent, is that of a case. */
export const isResultOf = (
  { name, operation }: Pick<Case, 'name' | 'operation'>,
  testCase: Case,
): boolean => name === testCase.name && operation === testCase.operation;

/** Returns a case that is sent with nothing else in flight, and followed by valid requests. */
export const sentAlone = (theCase: Case): Case => ({ ...theCase, phase: 'disturbing' });

/** Returns a creation that is sent a dozen times if it is rejected. */
export const repeated = (theCase: Case): Case => ({ ...theCase, isRepeated: true });

export const isSentAlone = ({ phase }: Case): boolean => phase === 'disturbing';

/** Whether a case is a valid request. */
export const isValidCase = ({ phase = 'negative' }: Case): boolean =>
  ['valid', 'together', 'twins', 'valid at the end'].includes(phase);

/** Returns a case with the same change for each operation, or for some. */
export function onEach(
  name: string,
  change: Change,
  options: Partial<Case> & { operations?: readonly Operation[] } = {},
): Case[] {
  const { operations = OPERATIONS, ...rest } = options;
  return operations.map((operation) => ({ name, operation, change, ...rest }));
}

/** Sends the request as usual. */
export const asUsual: Change = (usual) => usual;

/** Returns a change that applies several changes one after the other. */
export function inTurn(...changes: Change[]): Change {
  return (usual, context) => {
    let changed: ChangedRequest = usual;
    for (const change of changes) changed = applyTo(changed, change, context);
    return changed;
  };
}

/** Applies a change to a request, or to each alternative. */
function applyTo(changed: ChangedRequest, change: Change, context: CaseContext): ChangedRequest {
  if (changed === undefined) return undefined;
  if (!Array.isArray(changed)) return change(changed, context);
  return changed.flatMap((alternative) => change(alternative, context) ?? []);
}

/** Sets headers, and removes those that are undefined. */
export function withHeaders(headers: Record<string, string | undefined>): Change {
  return (usual) => {
    const fields = Object.entries({ ...usual.headers, ...headers });
    const defined = fields.filter((field): field is [string, string] => field[1] !== undefined);
    return { ...usual, headers: Object.fromEntries(defined) };
  };
}

/** Removes the Authorization header. */
export const withoutKey: Change = withHeaders({ authorization: undefined });

/** The mark for a wrong key of the same form. */
export const WRONG_KEY = '<a wrong key>';

/**
 * Sets the Authorization header; undefined removes it. A mark such as `<API_KEY>` stands for the
 * key; it throws for an unknown one. The case does not exist if this key has no such variation.
 */
export function withAuthorization(value: string | undefined): Change {
  if (value === undefined) return withoutKey;
  const marked = withKnownMarks(value);
  return (usual, context) => {
    const authorization = marked.replace(WRONG_KEY, () => context.wrongKey);
    const [, token] = /^Bearer (.+)$/.exec(authorization) ?? [];
    if (token !== undefined && !context.isWrongKey(token)) return undefined;
    // Another spelling of the signature has a requirement of its own.
    if (token !== undefined && context.isSameSignature(token)) return undefined;
    return { ...usual, headers: { ...usual.headers, authorization } };
  };
}

/**
 * Sets a token that is the key, a JWT, with another spelling of its signature. The case does not
 * exist for other keys.
 */
export function withSignature(token: string): Change {
  withKnownMarks(token);
  return (usual, { isWrongKey, isSameSignature }) => {
    if (!isWrongKey(token) || !isSameSignature(token)) return undefined;
    return { ...usual, headers: { ...usual.headers, authorization: `Bearer ${token}` } };
  };
}

/** Sets the body. */
export function withBody(body: string | ((user: NewUser) => string)): Change {
  return (usual, { user }) => {
    return { ...usual, body: typeof body === 'string' ? body : body(user) };
  };
}

/** Changes the path below the base address, and the query. */
export function withPath(change: (path: string) => string): Change {
  return (usual, { basePath }) => {
    const path = usual.path.slice(basePath.length);
    return { ...usual, path: basePath + change(path) };
  };
}

/** Changes the path of the base address. */
export function withBasePath(change: (basePath: string) => string): Change {
  return (usual, { basePath }) => {
    const path = usual.path.slice(basePath.length);
    return { ...usual, path: change(basePath) + path };
  };
}

/** Whether a request has the Authorization header of the interface. */
export function isAuthorized({ headers }: Request): boolean {
  const field = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization');
  return field?.[1] === BEARER.authorization;
}
