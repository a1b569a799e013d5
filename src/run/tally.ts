import { type Creation, firstRead, isAccepted } from '../history/creation.ts';
import { members } from '../history/record.ts';
import { endOf, type ShownText } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import type { World } from './world.ts';

/** The numbers and observations of a run, for reports. */
export interface Tally<T extends string = string> {
  tag: string;
  /** The start of the run: milliseconds since 1970. */
  start: number;
  requests: number;
  usersCreated: number;
  /** The choices of the service where the interface leaves one: a name, and the values seen. */
  observations: Record<string, T[]>;
}

/** A user that a run has created, or may have created: then no identifier is known. */
export interface CreatedUser<T extends string = string> {
  email: T;
  identifier?: T;
}

/** Returns the numbers and observations of a run. */
export function tallyOf(world: World): Tally<ShownText> {
  const { client, factory, ledger } = world;
  const created = ledger.creations.filter((creation) => creation.exchange && isAccepted(creation));
  observeClient(world);
  observeUsers(world, created);
  return {
    tag: factory.tag,
    start: client.started.getTime(),
    requests: client.requestsSent,
    usersCreated: created.length,
    observations: sortedObservations(world),
  };
}

/** Notes the observations of the client. */
function observeClient(world: World): void {
  const { record, pace } = world.client;
  const isKeyInHeader = record.some(({ response }) => response?.keyInHeader);
  if (isKeyInHeader) world.observe('key in a response', 'in a header');
  if (pace.whyFew) world.observe('requests at once', `few: ${pace.whyFew}`);
}

/** Lag that is noted, at least: a shorter one may be that of the network. Milliseconds. */
const NOTED_LAG_MS = 50;

/** Notes how created users are shown: the spelling of emails, and the longest lag. */
function observeUsers(world: World, created: readonly Creation[]): void {
  const isFolded = created.some((creation) => {
    const email = textOf(members(firstRead(creation)?.record ?? {}).email);
    const { email: sent } = creation.user;
    return email !== sent && email === sent.toLowerCase();
  });
  if (isFolded) world.observe('emails', 'folded to lower case');
  const lag = Math.max(0, ...created.map((creation) => lagOf(world, creation)));
  if (lag < NOTED_LAG_MS) return;
  world.observe('users', `retrievable after ${Math.ceil(lag / 100) * 100} ms`);
}

/** Returns how long a user was not found after the creation; 0 if the user was there at once. */
function lagOf({ client }: World, creation: Creation): number {
  const { exchange } = creation;
  const read = firstRead(creation)?.exchange;
  if (exchange === undefined || read === undefined) return 0;
  const isMissing = client.record.some(({ request, response, id }) => {
    const isBetween = id > exchange.id && id < read.id;
    return isBetween && request.path === read.request.path && response?.status === 404;
  });
  return isMissing ? read.at - endOf(exchange) : 0;
}

function sortedObservations({ observations }: World): Record<string, ShownText[]> {
  const names = [...observations.keys()].sort();
  const entries = names.map((name): [string, ShownText[]] => {
    const values = observations.get(name) ?? [];
    return [name, [...values].sort()];
  });
  return Object.fromEntries(entries);
}

/** Identifiers stay whole: by them, a team finds the users that it removes. */
const WHOLE = Number.POSITIVE_INFINITY;

/** Returns the users who exist, or may exist, because of the run. */
export function createdUsers({
  ledger,
  client,
  candidates,
  place,
}: World): CreatedUser<ShownText>[] {
  const { showText } = client.secrets;
  return ledger.creations.flatMap((creation) => {
    const { response, exchange, user } = creation;
    if (exchange === undefined || response === 'rejected') return [];
    // Some users are never retrieved; their create response has the identifier in the known place.
    const candidate = candidates.get(creation)?.find((value) => value.place === place);
    const identifier = creation.identifier ?? candidate;
    const email = showText(user.email, WHOLE);
    return identifier ? { identifier: showText(identifier.text, WHOLE), email } : { email };
  });
}
