import { type Exchange, endOf } from '../http/exchange.ts';
import type { Item, Read } from './record.ts';

/** The body of a valid request to create a user. */
export interface NewUser {
  email: string;
  name: string;
}

/** The required result of a creation: a user, a user or a rejection, or no user. */
export type Expected = 'created' | 'either' | 'rejected';

/** An identifier of a user, or a value that may be one. */
export interface Identifier {
  /** Compared as text; a number keeps the digits with which it was written. */
  text: string;
  /** The path segment for it, percent-encoded where necessary. */
  segment: string;
  /** Its place, such as `create response: data.id`, `Location` or `list item: id`. */
  place: string;
}

/** The name of the usual creation, which no case sends. */
export const PLAIN_USER = 'a plain user';

/** A user that the run asked the service to create. */
export interface Creation {
  /** The case that sent it, or PLAIN_USER. */
  name: string;
  expected: Expected;
  /** The user in the request, or the user that a valid request would have sent. */
  user: NewUser;
  /** The strings of that user that the request sent, by which a record can be recognized. */
  traces: Partial<NewUser>;
  /** Absent until the request was sent. */
  exchange?: Exchange;
  /**
   * `accepted` for a 2xx, `unknown` for no response, a 503, or a gateway's 502 or 504, and
   * `rejected` for any other response.
   */
  response?: 'accepted' | 'rejected' | 'unknown';
  /** The record in the create response, or its body; absent for a 202, which may describe a job. */
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
  /** Whether it followed a negative request. Its response is then judged with that request. */
  isAfterNegative?: true;
}

/** Whether the service accepted a creation with a 2xx. */
export const isAccepted = ({ response }: Creation): boolean => response === 'accepted';

/**
 * Whether a user must exist: it was retrieved, or its creation was valid and accepted. If the run
 * could not retrieve the user, only the creation is judged.
 */
export function mustExist({ identifier, expected, response, isSought }: Creation): boolean {
  if (identifier !== undefined) return true;
  return expected === 'created' && response === 'accepted' && !isSought;
}

/** Returns the end of the response to a creation, in milliseconds of the run. */
export const createdAt = ({ exchange }: Creation): number => endOf(exchange);

/** Returns the first response that shows the user. */
export const firstRead = ({ reads }: Creation): Read | undefined =>
  reads.find(({ ok, record }) => ok && record !== undefined);
