import { isAccepted } from '../history/creation.ts';
import type { World } from './world.ts';

/** The numbers and observations of a run, for reports. */
export interface Tally {
  tag: string;
  /** The start of the run: milliseconds since 1970. */
  start: number;
  requests: number;
  usersCreated: number;
  /** The choices of the service where the interface leaves one: a name, and the values seen. */
  observations: Record<string, string[]>;
}

/** A user that a run has created, or may have created: then no identifier is known. */
export interface CreatedUser {
  email: string;
  identifier?: string;
}

/** Returns the numbers and observations of a run. */
export function tallyOf(world: World): Tally {
  const { client, factory, ledger } = world;
  const created = ledger.creations.filter((creation) => creation.exchange && isAccepted(creation));
  observeClient(world);
  return {
    tag: factory.tag,
    start: client.started.getTime(),
    requests: client.requestsSent,
    usersCreated: created.length,
    observations: sortedObservations(world),
  };
}

/** Notes the observations of the client. */
function observeClient({ client, observations }: World): void {
  const isKeyInHeader = client.record.some(({ response }) => response?.keyInHeader);
  if (isKeyInHeader) observations.set('key in a response', new Set(['in a header']));
  const { whyFew } = client.pace;
  if (whyFew) observations.set('requests at once', new Set([`few: ${whyFew}`]));
}

function sortedObservations({ observations }: World): Record<string, string[]> {
  const names = [...observations.keys()].sort();
  const entries = names.map((name): [string, string[]] => {
    const values = observations.get(name) ?? [];
    return [name, [...values].sort()];
  });
  return Object.fromEntries(entries);
}

/** Returns the users who exist, or may exist, because of the run. */
export function createdUsers({ ledger, client, candidates, places }: World): CreatedUser[] {
  const { redact } = client.secrets;
  return ledger.creations.flatMap((creation) => {
    const { response, exchange, user } = creation;
    if (exchange === undefined || response === 'rejected') return [];
    // Some users are never retrieved; their create response has the identifier in the known place.
    const candidate = candidates.get(creation)?.find(({ place }) => place === places[0]);
    const identifier = creation.identifier ?? candidate;
    const email = redact(user.email);
    return identifier ? { identifier: redact(identifier.text), email } : { email };
  });
}
