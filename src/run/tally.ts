import { isAccepted } from '../history/creation.ts';
import type { World } from './world.ts';

/** What a run counts and observes, for reports. */
export interface Tally {
  tag: string;
  /** When the run began: milliseconds since 1970. */
  start: number;
  requests: number;
  usersCreated: number;
  /** What the service has chosen where the interface leaves it open: a name, and the values seen. */
  observations: Record<string, string[]>;
}

/** A user that a run has created, or may have created: then no identifier was found. */
export interface CreatedUser {
  email: string;
  identifier?: string;
}

/** Counts what a run has sent. */
export function tallyOf({ client, factory, ledger, observations }: World): Tally {
  const isKeyInHeader = client.record.some(({ response }) => response?.keyInHeader);
  if (isKeyInHeader) observations.set('key in a response', new Set(['in a header']));
  if (client.pace.whyFew)
    observations.set('requests at once', new Set([`few: ${client.pace.whyFew}`]));
  const observed = [...observations].map(([name, values]) => [name, [...values].sort()] as const);
  return {
    tag: factory.tag,
    start: client.started.getTime(),
    requests: client.requestsSent,
    usersCreated: ledger.creations.filter((creation) => creation.exchange && isAccepted(creation))
      .length,
    observations: Object.fromEntries(observed.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The users who exist, or may exist, because of the run. */
export function createdUsers({ ledger, client, candidates, places }: World): CreatedUser[] {
  const { redact } = client.secrets;
  return ledger.creations.flatMap((creation) => {
    const { response, exchange, user } = creation;
    if (exchange === undefined || response === 'rejected') return [];
    // Not every user is retrieved; the response shows the identifier in the place of those who were.
    const identifier =
      creation.identifier ?? candidates.get(creation)?.find(({ place }) => place === places[0]);
    const found = identifier && { identifier: redact(identifier.text) };
    return [{ ...found, email: redact(user.email) }];
  });
}
