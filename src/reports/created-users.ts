import { type Creation, firstRead, isAccepted } from '../history/creation.ts';
import { readHistory } from '../history/file.ts';
import { members } from '../history/record.ts';
import { textOf } from '../http/value.ts';
import type { CreatedUser } from '../run/tally.ts';
import { unlessThrown } from '../settings/errors.ts';
import type { RunResult } from './run-result.ts';

/** A user of `created-users.json`. */
export interface StoredUser {
  /** As a response showed it; else as it was sent. */
  email: string;
  name?: string;
  /** Absent if no response showed one. */
  identifier?: string;
  /** Where the identifier was found, such as `create response: data.id`. */
  foundIn?: string;
  /** The creation got no response, or one that tells nothing: the service may have the user. */
  mayExist?: true;
}

/**
 * Returns the users that a run created, as the service stored them, and those who may exist.
 * Without the record of the run, they are as they were sent.
 */
export function storedUsers({ created, run, report }: RunResult): StoredUser[] {
  const history = run && unlessThrown(() => readHistory(run.history));
  const creations = history?.creations.filter(
    ({ exchange, response }) => exchange !== undefined && response !== 'rejected',
  );
  if (history === undefined || creations?.length !== created.length) return created;
  // Users who were not retrieved have their identifier in the same place as the others.
  const known = creations.find(({ identifier }) => identifier !== undefined)?.identifier;
  const place = history.place ?? known?.place;
  return creations.flatMap((creation, index) => {
    // A web page that comes with a 200 has created nobody.
    if (isAccepted(creation) && report.obstacle !== undefined) return [];
    return [storedUser(creation, created[index] as CreatedUser, place)];
  });
}

function storedUser(creation: Creation, sent: CreatedUser, place?: string): StoredUser {
  const shown = members(firstRead(creation)?.record ?? creation.shown ?? {});
  const name = textOf(shown.name) ?? creation.traces.name;
  const foundIn = creation.identifier?.place ?? place;
  return {
    email: textOf(shown.email) ?? sent.email,
    ...(name !== undefined && { name }),
    ...(sent.identifier !== undefined && { identifier: sent.identifier }),
    ...(sent.identifier !== undefined && foundIn !== undefined && { foundIn }),
    ...(!isAccepted(creation) && { mayExist: true as const }),
  };
}
