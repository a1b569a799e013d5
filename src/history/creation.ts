import { type Exchange, endOf } from '../http/exchange.ts';
import type { Item, Read } from './record.ts';

/** What a request to create a user sends. */
export interface NewUser {
  email: string;
  name: string;
}

/** What the service must make of a creation: a user, a user or a rejection, or no user. */
export type Expected = 'created' | 'either' | 'rejected';

/** An identifier of a user, or a value that may be one. */
export interface Identifier {
  /** Compared as text; a number keeps the digits with which it was written. */
  text: string;
  /** The path segment for it, percent-encoded where necessary. */
  segment: string;
  /** Where it was found, such as `create response: data.id`, `Location` or `list item: id`. */
  place: string;
}

/** A user that the run asked the service to create. */
export interface Creation {
  /** The case that sent it, or `a plain user`. */
  name: string;
  expected: Expected;
  /** The user that was sent, or that the request would have sent if it were valid. */
  user: NewUser;
  /** The strings of that user by which a record can be recognized: members that were left out or no strings are missing. */
  traces: Partial<NewUser>;
  /** Absent until the request was sent. */
  exchange?: Exchange;
  /**
   * `accepted` for a 2xx, `rejected` for any other response, `unknown` if the response does not tell: none, a 503, a
   * gateway's 502 or 504.
   */
  response?: 'accepted' | 'rejected' | 'unknown';
  /** The record in the create response, or the whole body; absent for a 202, which may describe a job. */
  shown?: Item;
  /** Whether the run tried to retrieve the user. */
  isSought?: true;
  /** A list of all users that lacks this one, if only the list could show the identifier. */
  missingIn?: Exchange;
  /** The identifier that retrieved the user. */
  identifier?: Identifier;
  /** The responses of retrievals of this user, in the order in which they were sent. */
  reads: Read[];
  /** Whether other requests were in flight on purpose. */
  isConcurrent?: true;
  /** Whether it followed a negative request, with which its response is judged. */
  isAfterNegative?: true;
}

/** Whether the service answered a creation with a 2xx. */
export const isAccepted = ({ response }: Creation): boolean => response === 'accepted';

/**
 * Whether a user must exist: it was retrieved, or its creation was valid and accepted. One that was looked for in vain
 * is judged with its creation alone.
 */
export const mustExist = ({ identifier, expected, response, isSought }: Creation): boolean =>
  identifier !== undefined || (expected === 'created' && response === 'accepted' && !isSought);

/** When the response to a creation was complete, in milliseconds of the run. */
export const createdAt = ({ exchange }: Creation): number => endOf(exchange);

/** The first response that showed the user. */
export const firstRead = ({ reads }: Creation): Read | undefined =>
  reads.find(({ ok, record }) => ok && record !== undefined);
