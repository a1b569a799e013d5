import type { Expected, NewUser } from '../history/creation.ts';
import type { Operation } from '../history/history.ts';
import type { Request } from '../http/exchange.ts';
import { BEARER } from '../http/key.ts';

export const LIST = 'GET /users';
export const CREATE = 'POST /users';
export const RETRIEVE = 'GET /users/:id';
export const OPERATIONS: readonly Operation[] = [LIST, CREATE, RETRIEVE];

/** What only one user of one run has, to make an email and a name of. */
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
 * How a user differs from a plain one with nothing special. Each part is made of what is the user's own, or is that of
 * another user of the run.
 */
export interface UserKind {
  email?: (own: OwnParts, other: NewUser) => string;
  name?: (own: OwnParts, other: NewUser) => string;
}

/** What a case may use to change a request. */
export interface CaseContext {
  /** The path of the base address, without a slash at its end. */
  basePath: string;
  /** The user whom a POST creates, or would create if it were valid. */
  user: NewUser;
  /** The identifier of the user whom a GET retrieves; absent if no user could be retrieved. */
  identifier?: string;
  /** All identifiers that retrieved a user so far. */
  identifiers: readonly string[];
  /** A key of the same form that is wrong. */
  wrongKey: string;
  /** Whether a token, in which a mark stands for the key, is another token than the key. */
  isWrongKey: (token: string) => boolean;
  /** Whether such a token is the key, a JWT, with its signature spelled in another way. */
  isSameSignature: (token: string) => boolean;
  /** The cookies that the service has set, as a Cookie header; undefined if there are none to send back. */
  cookies: string | undefined;
  /** The Idempotency-Key of an accepted creation; undefined if none had one. */
  idempotencyKey: string | undefined;
  /** The ETag of the first retrieval, and of a list from before the last creation. */
  userTag: string | undefined;
  listTag: string | undefined;
  /** A request to retrieve the first user. */
  retrieval: Request | undefined;
}

/**
 * Changes a usual request. Several requests are alternatives: the next is sent if the identifier of the one before
 * belongs to a user. Undefined if the case cannot be made of this key, identifier or service.
 */
export type Change = (usual: Request, context: CaseContext) => Request | Request[] | undefined;

/** When a case is sent; see `run()`. */
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

/** One change to a request that is proven good. */
export interface Case {
  /** What is changed. With the operation, it is unique within a requirement. */
  name: string;
  operation: Operation;
  change: Change;
  /** Absent: `negative`. */
  phase?: CasePhase;
  /** Of a POST: what the service must make of it; absent: `rejected`. */
  expected?: Expected;
  /** Of a POST: the user; absent: a plain one. */
  user?: UserKind;
  /** Of a POST: the member that is not a string, or is left out. */
  untraced?: 'email' | 'name';
  /**
   * Of a GET of a user: absent: each case takes another user; `first`: the first user of the run; `existing`: one from
   * before the run, if the list shows the identifier.
   */
  known?: 'first' | 'existing';
  /** Of a POST: whether a usual creation is sent first, on the same connection. */
  afterCreation?: true;
  /** Whether the right key is sent first, on the same connection. */
  afterUsual?: true;
  /** Whether the same request is sent with the right key first: a cache may keep the response for anybody. */
  afterAuthorized?: true;
  /** Whether the identifier belongs to nobody, so that no user may be returned. */
  isNobodys?: true;
  /** Whether a proxy may take the path for that of the list. */
  mayBeList?: true;
  /** Whether a server may close the connection without a response. */
  mayBeSilent?: true;
  /** Whether the case proves something even if the usual request fails. */
  needsNoProof?: true;
  /** Whether the user with whom a new one shares something is retrieved again after the creation. */
  rereadsShared?: true;
}

/** The same case, sent in the phase in which nothing else is in flight, and followed by valid requests. */
export const sentAlone = (one: Case): Case => ({ ...one, phase: 'disturbing' });

export const isSentAlone = ({ phase }: Case): boolean => phase === 'disturbing';

/** Whether a request with the right key is sent just before the case. */
export const isAfterAuthorized = ({ afterAuthorized, afterCreation, afterUsual }: Case): boolean =>
  [afterAuthorized, afterCreation, afterUsual].includes(true);

/** Whether a case is a valid request. */
export const isValidCase = ({ phase = 'negative' }: Case): boolean =>
  ['valid', 'together', 'twins', 'valid at the end'].includes(phase);

/** The same change on each operation, or on some. */
export function onEach(
  name: string,
  change: Change,
  more: Partial<Case> & { operations?: readonly Operation[] } = {},
): Case[] {
  const { operations = OPERATIONS, ...rest } = more;
  return operations.map((operation) => ({ name, operation, change, ...rest }));
}

/** Sends the request as usual. */
export const asUsual: Change = (usual) => usual;

/** Applies changes one after the other. */
export const inTurn =
  (...changes: Change[]): Change =>
  (usual, context) =>
    changes.reduce<ReturnType<Change>>((request, change) => {
      if (request === undefined) return undefined;
      if (!Array.isArray(request)) return change(request, context);
      return request.flatMap((one) => change(one, context) ?? []);
    }, usual);

/** Sets headers, and leaves out those that are undefined. */
export function withHeaders(headers: Record<string, string | undefined>): Change {
  return (usual) => {
    const all = Object.entries({ ...usual.headers, ...headers });
    const sent = all.filter((field): field is [string, string] => field[1] !== undefined);
    return { ...usual, headers: Object.fromEntries(sent) };
  };
}

/** Leaves the Authorization header out. */
export const withoutKey: Change = withHeaders({ authorization: undefined });

/** A token that stands for a wrong key of the same form. */
export const WRONG_KEY = '<a wrong key>';

/**
 * Sets the Authorization header; undefined leaves it out. A mark such as `<API_KEY>` stands for the key. The case can't
 * be made if this key has no such variation.
 */
export function withAuthorization(value: string | undefined): Change {
  if (value === undefined) return withoutKey;
  return (usual, context) => {
    const filled = value.replace(WRONG_KEY, () => context.wrongKey);
    const [, token] = /^Bearer (.+)$/.exec(filled) ?? [];
    if (token !== undefined && !context.isWrongKey(token)) return undefined;
    // Another spelling of the signature is judged by itself.
    if (token !== undefined && context.isSameSignature(token)) return undefined;
    return { ...usual, headers: { ...usual.headers, authorization: filled } };
  };
}

/** Sets the key, a JWT, with its signature spelled in another way. The case can't be made of another key. */
export const withSignature =
  (token: string): Change =>
  (usual, { isWrongKey, isSameSignature }) => {
    if (!isWrongKey(token) || !isSameSignature(token)) return undefined;
    return { ...usual, headers: { ...usual.headers, authorization: `Bearer ${token}` } };
  };

/** Sets another body. */
export const withBody =
  (body: string | ((user: NewUser) => string)): Change =>
  (usual, { user }) => ({ ...usual, body: typeof body === 'string' ? body : body(user) });

/** Changes the path below the base address; the query belongs to it. */
export const withPath =
  (change: (path: string) => string): Change =>
  (usual, { basePath }) => ({
    ...usual,
    path: basePath + change(usual.path.slice(basePath.length)),
  });

/** Changes the path of the base address. */
export const withBasePath =
  (change: (basePath: string) => string): Change =>
  (usual, { basePath }) => ({
    ...usual,
    path: change(basePath) + usual.path.slice(basePath.length),
  });

/** Whether a request carries the key as the interface asks for it, and nothing else as credentials. */
export function isAuthorized({ headers }: Request): boolean {
  const field = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization');
  return field?.[1] === BEARER.authorization;
}
