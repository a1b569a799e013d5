import { type Creation, firstRead, isAccepted } from '../history/creation.ts';
import { readHistory } from '../history/file.ts';
import { members } from '../history/record.ts';
import { textOf } from '../http/value.ts';
import type { CreatedUser } from '../run/tally.ts';
import { unlessThrown } from '../settings/errors.ts';
import type { RunResult } from './run-result.ts';

/** A user of `created-users.json`. */
export interface StoredUser {
  /** The value in a response, or else in the request. */
  email: string;
  name?: string;
  /** Absent if no response has one. */
  identifier?: string;
  /** The place of the identifier, such as `create response: data.id`. */
  foundIn?: string;
  /** Present if the response to the creation does not show whether the user exists. */
  mayExist?: true;
}

/**
 * Returns the users that a run created, as the service stored them, and those who may exist.
 * Without the history of the run, they are as they were sent.
 */
export function storedUsers({ created, run, report }: RunResult): StoredUser[] {
  const history = run && unlessThrown(() => readHistory(run.history));
  const creations = history?.creations.filter(
    ({ exchange, response }) => exchange !== undefined && response !== 'rejected',
  );
  if (history === undefined || creations?.length !== created.length) return created;
  // A user without a retrieval has the identifier in the same place as the others.
  const identifiers = creations.map(({ identifier }) => identifier);
  const place = identifiers.find((identifier) => identifier !== undefined)?.place;
  return creations.flatMap((creation, index) => {
    // A web page with the status 200 has not created a user.
    if (isAccepted(creation) && report.obstacle !== undefined) return [];
    return [storedUser(creation, created[index] as CreatedUser, place)];
  });
}

function storedUser(creation: Creation, sent: CreatedUser, place?: string): StoredUser {
  const shown = members(firstRead(creation)?.record ?? creation.shown ?? {});
  const user: StoredUser = { email: textOf(shown.email) ?? sent.email };
  const name = textOf(shown.name) ?? creation.traces.name;
  if (name !== undefined) user.name = name;
  if (sent.identifier !== undefined) {
    user.identifier = sent.identifier;
    const foundIn = creation.identifier?.place ?? place;
    if (foundIn !== undefined) user.foundIn = foundIn;
  }
  if (!isAccepted(creation)) user.mayExist = true;
  return user;
}
