import type { Exchange } from '../http/exchange.ts';
import { type Creation, mustExist } from './creation.ts';
import type { IdentifierMembers } from './identifier-member.ts';
import type { List } from './list.ts';
import type { Item, Read } from './record.ts';

export type Operation = 'GET /users' | 'POST /users' | 'GET /users/:id';

/** A valid request and its result, in the terms of its operation. */
export interface Attempt {
  exchange: Exchange;
  /** The list of a GET /users. */
  list?: List;
  /** The creation of a POST /users. */
  creation?: Creation;
  /** The user in the response to a GET /users/:id, or to the retrieval after a creation. */
  read?: Read;
  /** The creation whose user a GET /users/:id requested. */
  user?: Creation;
}

/** A valid request of an operation that followed a negative one. */
export interface FollowUp extends Attempt {
  operation: Operation;
  /**
   * If the pair of the negative request and this one went wrong each time, so that the negative one
   * is to blame: the pair that was sent first, and the negative request before this one, with the
   * valid ones between them on the same connection.
   */
  earlier?: Exchange[];
}

/** The result of a case. */
export interface CaseResult extends Attempt {
  /** The requirements that declare the case. */
  slugs: string[];
  name: string;
  operation: Operation;
  /** An email or name of a known user that the response shows and the request did not send. */
  leak?: string;
  /** Whether the response is a user list, for a request that must not or need not return one. */
  isList?: true;
  /** Whether the requested identifier is made from known ones. */
  isDerived?: true;
  /** A user's record in the response to a negative retrieval. */
  holds?: Held;
  /** The request that was sent before it on the same connection, with the right key. */
  usual?: Read;
  /** The request that the case needs just before it. */
  before?: Exchange;
  /** The first attempt, which failed among other requests. `exchange` is the retry, alone. */
  concurrent?: Attempt;
  /** Whether a failure was not confirmed by a retry, because other cases of its kind were. */
  isUnconfirmed?: true;
  /** The usual request, sent alone before the retry, which only counts if this one succeeds. */
  control?: Attempt;
  /** The valid requests that followed on the same connection and on another. */
  followUps?: FollowUp[];
  /** Attempts without a response, though other requests got theirs. */
  unanswered?: Exchange[];
}

/** A case that could not be sent, and the reason. */
export interface SkippedCase extends Pick<CaseResult, 'slugs' | 'name' | 'operation'> {
  reason: string;
  /** Whether the case does not apply: to this key or service, or because the user excluded it. */
  isExcluded: boolean;
  /** The exchanges that show the reason. */
  exchanges: Exchange[];
}

/** A record in a response although the identifier belongs to no user. */
export interface Held {
  /** `the list`, or the record as text. */
  text: string;
  /** The user of another client to whom the identifier may belong, as text. */
  mayBe?: string;
}

/** A target that stopped answering. */
export interface Outage {
  /** The request directly before, if it was sent with nothing else in flight. */
  exchange?: Exchange;
  /** The same request, sent again when the target was back, which stopped it again. */
  again?: Exchange;
  /** The event: `the service ended with exit code 1`, `no response for 12 s`. */
  text: string;
}

/** Another retrieval of a user. */
export interface Reread {
  user: Creation;
  read: Read;
  /**
   * `first`: the first user, at the end of the run; `unread`: a user that was not read for long;
   * `unlisted`: a user that the last list lacks.
   */
  why: 'first' | 'unread' | 'unlisted' | 'concurrent';
  /** The response to the same request while others were in flight, which was wrong. */
  concurrent?: Read;
}

/** Two lists with many concurrent requests between them. */
export interface Burst {
  action: 'idle' | 'creations' | 'rejected creations' | 'reads';
  size: number;
  before: List;
  after: List;
}

/** A user from before the run, and the response to its retrieval. */
export interface ExistingUser {
  email: string;
  name: string;
  identifier: string;
  list: List;
  exchange: Exchange;
  record?: Item;
}

/** The Location of a create response, and its check. */
export interface LocationResult {
  created: Exchange;
  location?: string;
  /** Whether it is an address at the target's own origin. */
  isOwn: boolean;
  leadsToUser: boolean;
  /** The request to it; absent if the same path retrieved the user before. */
  followed?: Exchange;
}

/** The reason why a run ended before its plan was carried out. */
export interface Stopped {
  reason: string;
  /**
   * `obstacle`: nothing can be judged; `service`: valid requests fail from now on; `run`: the
   * deadline or an interrupt.
   */
  by: 'obstacle' | 'service' | 'run';
  exchanges: Exchange[];
  /** The id of the last exchange that is judged; absent: all are. */
  lastId?: number;
}

/** Everything that a run has seen, as plain data that can be written to a file and judged again. */
export interface History {
  baseUrl: string;
  /** Whether the key may be a plain word, which responses may contain by chance. */
  keyIsEveryday: boolean;
  isReadOnly: boolean;
  /** In the order in which they were sent. */
  exchanges: Exchange[];
  creations: Creation[];
  lists: List[];
  results: CaseResult[];
  skipped: SkippedCase[];
  /** The list before anything was created. */
  first?: List;
  /** The list after all creations. */
  last?: List;
  /** The list after reads alone. */
  later?: List;
  /** The creations that showed the place of the identifier. */
  firstUsers: Creation[];
  /** Where responses show identifiers. */
  identifierMembers: IdentifierMembers;
  rereads: Reread[];
  /** Requests without the key that were sent at the same moment as valid ones. */
  unauthorized: Exchange[];
  bursts: Burst[];
  /** The lists that were fetched one after the other with nothing else in flight. */
  atRest: List[];
  existing: ExistingUser[];
  locations: LocationResult[];
  /** Times that the target stopped answering for a while, or for good. */
  outages: Outage[];
  /** A valid request that was rejected, as all later ones, after a number of negative requests. */
  lockedOut?: { after: Exchange; exchange: Exchange };
  /** The parts of the run that were carried out to their end; see `Part`. */
  parts: string[];
  /** A request without the key, or with the key sent in another way, that got the list instead. */
  opened?: { how: string; exchange: Exchange };
  stopped?: Stopped;
}

/** The number of users that a run created. */
export interface UserCount {
  least: number;
  most: number;
}

/** Returns how many users the run created between the first and the last list. */
export function countCreatedUsers({ creations, last, rereads }: History): UserCount {
  const earlier = creations.filter(
    ({ exchange }) => exchange && last && exchange.id < last.exchange.id,
  );
  const missing = rereads.filter(({ why, read }) => why === 'unlisted' && !read.record);
  const missingUsers = new Set(missing.map(({ user }) => user));
  const certain = earlier.filter((creation) => mustExist(creation) && !missingUsers.has(creation));
  const possible = earlier.filter(
    ({ response, exchange }) => response !== 'rejected' && !isCutShort(exchange),
  );
  const identifiers = certain.flatMap(({ identifier }) => identifier?.text ?? []);
  const duplicates = identifiers.length - new Set(identifiers).size;
  return { least: certain.length - duplicates, most: possible.length };
}

/** Whether only a part of the body was sent, which creates no user. */
function isCutShort(exchange: Exchange | undefined): boolean {
  const framing = exchange?.request.framing;
  return framing === 'aborted' || framing === 'aborted at the head';
}
