import type { Exchange } from '../http/exchange.ts';
import { type Creation, mustExist } from './creation.ts';
import type { List } from './list.ts';
import type { Item, Read } from './record.ts';

export type Operation = 'GET /users' | 'POST /users' | 'GET /users/:id';

/** A valid request and what it came to, in the terms of its operation. */
export interface Attempt {
  exchange: Exchange;
  /** Of GET /users: the index of the list. */
  list?: number;
  /** Of POST /users: the index of the creation. */
  creation?: number;
  /** Of GET /users/:id: what the response shows, and the index of the creation whose user was requested. */
  read?: Read;
  of?: number;
}

/** A valid request of an operation that followed a negative one. */
export interface FollowUp extends Attempt {
  operation: Operation;
}

/** What came of a case. */
export interface CaseResult extends Attempt {
  /** The requirements that declare the case. */
  slugs: string[];
  name: string;
  operation: Operation;
  /** An email or name of a known user that the response shows and the request did not send. */
  leak?: string;
  /** Whether the response is a user list, for a request that must not or need not return one. */
  isList?: true;
  /** The records of users that the response of a negative retrieval holds, and whose they are. */
  holds?: Held;
  /** The request that was sent before it on the same connection, with the right key. */
  usual?: Read;
  /** The first response, which was wrong while other requests were in flight; `exchange` is the one to it alone. */
  concurrent?: Attempt;
  /** Whether it was not as expected, and was not sent again because others of its kind were. */
  isUnconfirmed?: true;
  /** The usual request, sent alone before the case was sent again: without it nothing is told about the case. */
  control?: Attempt;
  /** The valid requests that followed on the same connection and on another. */
  followUps?: FollowUp[];
  /** Times that a malformed request got no response, though others did. */
  unanswered?: Exchange[];
}

/** A case that could not be sent, and why. */
export interface SkippedCase extends Pick<CaseResult, 'slugs' | 'name' | 'operation'> {
  reason: string;
  /** Whether that leaves nothing to judge: the key or the service has no such variation, or the user excluded it. */
  isExcluded: boolean;
  /** The exchanges that show why. */
  exchanges: Exchange[];
}

/** A record that a response holds although nobody was requested. */
export interface Held {
  /** `the list`, or the record as text. */
  text: string;
  /** The user of another client to whom the identifier may belong, as text. */
  mayBe?: string;
}

/** A target that stopped answering. */
export interface Outage {
  /** The request directly after which it did so, if it was sent with nothing else in flight. */
  exchange?: Exchange;
  /** The same request, sent once more when the target was back; the target was away again. */
  again?: Exchange;
  /** What happened: `the service ended with exit code 1`, `no response for 12 s`. */
  text: string;
}

/** A user who was retrieved before, retrieved again. */
export interface Reread {
  /** The index of the creation. */
  of: number;
  read: Read;
  /** `first`: the first user, at the end; `unread`: one not read for long; `unlisted`: the last list lacks the user. */
  why: 'first' | 'unread' | 'unlisted' | 'concurrent';
  /** The response to the same request while others were in flight, which was wrong. */
  concurrent?: Read;
}

/** Two counts with something done between, many times at once. */
export interface Burst {
  action: 'idle' | 'creations' | 'rejected creations' | 'reads';
  size: number;
  /** Indexes of the lists before and after. */
  before: number;
  after: number;
}

/** A user from before the run, as the list shows it, and what its identifier retrieves. */
export interface ExistingUser {
  email: string;
  name: string;
  identifier: string;
  /** The index of the list. */
  list: number;
  exchange: Exchange;
  record?: Item;
}

/** Where a create response says that the new user is. */
export interface LocationResult {
  created: Exchange;
  location?: string;
  /** Whether it is an address at the target's own origin. */
  isOwn: boolean;
  leadsToUser: boolean;
  /** The request that followed it; absent if the location is the path that retrieved the user before. */
  followed?: Exchange;
}

/** Why a run ended before its plan was carried out. */
export interface Stopped {
  reason: string;
  /** `obstacle`: nothing can be judged at all; `service`: it answers no valid request any more; `run`: deadline, interrupt. */
  by: 'obstacle' | 'service' | 'run';
  exchanges: Exchange[];
  /** The id of the last exchange that tells about the service; absent: all do. */
  lastId?: number;
}

/**
 * Everything that a run has seen: plain data. Creations and lists are named by their index, exchanges by their id, so
 * that a history can be written to a file and judged again.
 */
export interface History {
  baseUrl: string;
  /** Whether the key may be a plain word, which responses may contain anyway. */
  keyIsEveryday: boolean;
  isReadOnly: boolean;
  /** In the order in which they were sent. */
  exchanges: Exchange[];
  creations: Creation[];
  lists: List[];
  results: CaseResult[];
  skipped: SkippedCase[];
  /** Indexes of lists: before anything was created, after all creations, and after reads alone. */
  first?: number;
  last?: number;
  later?: number;
  /** Indexes of the creations that showed where responses carry the identifier. */
  firstUsers: number[];
  /** Where responses carry the identifier; absent if no value retrieved both users. */
  place?: string;
  rereads: Reread[];
  /** Requests without the key that were sent at the same moment as valid ones. */
  unauthorized: Exchange[];
  bursts: Burst[];
  /** Indexes of lists that were fetched one after the other with nothing else in flight. */
  atRest: number[];
  existing: ExistingUser[];
  locations: LocationResult[];
  /** Times that the target stopped answering for a while, or for good. */
  outages: Outage[];
  /** A valid request that was rejected, after negative ones of which this was the last; no later one was right. */
  lockedOut?: { after: Exchange; exchange: Exchange };
  /** The parts of the run that were carried out to their end; see `Part`. */
  parts: string[];
  /** Another way of sending the key, or none, with which the list was returned although the key was refused. */
  opened?: { how: string; exchange: Exchange };
  stopped?: Stopped;
}

/** Whether the whole request of a creation was sent: half a body makes no user. */
const isWhole = (exchange: Exchange | undefined): boolean =>
  exchange?.request.framing !== 'aborted' && exchange?.request.framing !== 'aborted at the head';

/** How many users the run has made between the first and the last list: at least, and at most. */
export function madeUsers({ creations, lists, last, rereads }: History): {
  least: number;
  most: number;
} {
  const list = lists[last ?? -1];
  const isBeforeList = ({ exchange }: Creation) =>
    exchange && list && exchange.id < list.exchange.id;
  const before = creations.filter(isBeforeList);
  const isGone = (creation: Creation) =>
    rereads.some(
      ({ of, why, read }) => creations[of] === creation && why === 'unlisted' && !read.record,
    );
  const certain = before.filter((creation) => mustExist(creation) && !isGone(creation));
  const texts = certain.flatMap(({ identifier }) => identifier?.text ?? []);
  const shared = texts.length - new Set(texts).size;
  return {
    least: certain.length - shared,
    most: before.filter(({ response, exchange }) => response !== 'rejected' && isWhole(exchange))
      .length,
  };
}
