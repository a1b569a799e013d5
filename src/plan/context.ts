import type { Client } from '../http/client.ts';
import { type Answer, type Connection, type Exchange, endOf, isAnswered, type Request } from '../http/exchange.ts';
import { isKeptByProxy, isSilent } from '../http/failure.ts';
import { BEARER } from '../http/key.ts';
import type { Wanted } from '../http/response.ts';
import type { Settings } from '../settings/settings.ts';
import { excluded } from './evidence.ts';
import { type Creation, isTold, Ledger } from './ledger.ts';
import { isContradictory, isPaged, isReadable, type Look, type LookOptions, readList } from './look.ts';
import { userFactory } from './users.ts';

/** The first pause before a lagging read is looked at again; it doubles up to the settle time. */
export const SETTLE_PAUSE_MS = 20;

/**
 * A target that answers sooner gains nothing by many requests at once, and may be a small server that loses some of
 * them.
 */
const FAR_MS = 25;

/** The path of an operation, below the base address. */
const OPERATION = /^\/users(\/[^/;?]+)?(\?|$)/;

/**
 * The settings that steps look at. `choices`: the tag of a run whose choices are made again; absent: this run makes its
 * own.
 */
export type RunSettings = Pick<Settings, 'readOnly' | 'settleMs' | 'emailDomain'> & { choices?: string };

/**
 * What steps work with: the requests of the interface, the ledger, one way to wait. What others have yielded is given
 * to them.
 */
export class Context {
  readonly client: Client;
  readonly baseUrl: string;
  readonly settings: RunSettings;
  readonly factory: ReturnType<typeof userFactory>;
  readonly ledger: Ledger;
  /** Every list that was fetched, in the order in which the answers came. */
  readonly lists: Look[] = [];
  /** The ids of the exchanges of requests that no conforming service carries out. */
  readonly bad = new Set<number>();
  /** Bad requests that got a 500 beside others, and were answered otherwise alone. */
  readonly upset: Exchange[] = [];
  /** What the service has chosen, by name. */
  readonly observations = new Map<string, Set<string>>();
  /** How many users of others are looked at more closely; undefined: a few. */
  sampled: number | undefined;
  /** Called when the run rests: there is time, and the files of connections are free. */
  onRest: (() => void) | undefined;
  #lookInFlight: Promise<unknown> = Promise.resolve();
  #lookAskedFor: Promise<Look> | undefined;

  constructor(client: Client, baseUrl: string, settings: RunSettings) {
    this.client = client;
    this.baseUrl = baseUrl;
    this.settings = settings;
    this.factory = userFactory(settings.emailDomain, settings.choices);
    this.ledger = new Ledger(this.factory.tag);
    // At no address of the interface, or at another host.
    client.isElsewhere = ({ path, headers }) =>
      !path.startsWith(client.basePath) || !OPERATION.test(path.slice(client.basePath.length)) || 'host' in headers;
  }

  // Requests, as the interface shows them

  listing(headers: Record<string, string> = BEARER): Request {
    const path = `${this.client.basePath}/users`;
    return { method: 'GET', path, headers: { accept: 'application/json', ...headers } };
  }

  retrieval(segment: string, headers: Record<string, string> = BEARER): Request {
    const listing = this.listing(headers);
    return { ...listing, path: `${listing.path}/${segment}` };
  }

  /** A string is sent as it is, anything else as JSON. */
  creating(body: unknown, headers: Record<string, string> = BEARER): Request {
    const written = typeof body === 'string' ? body : JSON.stringify(body);
    return { ...this.listing({ 'content-type': 'application/json', ...headers }), method: 'POST', body: written };
  }

  /**
   * Sends a request. Throws Missing where nothing may be created, or a proxy of the user's own keeps it from being
   * sent.
   */
  async send(request: Request, wanted: Wanted = 'record', patienceMs?: number): Promise<Answer> {
    if (request.method === 'POST') this.mayCreate();
    return this.client.send(request, wanted, patienceMs).catch((error) => {
      throw isKeptByProxy(error) ? excluded('the configured proxy consumes this header') : error;
    });
  }

  /** Whether the service was silent to all while a request waited for its answer, a valid one among them. */
  isHeldUp({ id, at, duration }: Exchange): boolean {
    const meanwhile = this.client.record.filter((one) => one.id !== id && endOf(one) > at + duration / 2);
    return !meanwhile.some(isAnswered) && meanwhile.some((one) => isSilent(one.failure) && !this.bad.has(one.id));
  }

  /** Whether no response so far came soon: then each that is waited for in a row takes long. */
  isFar(): boolean {
    return this.client.record.every(({ duration }) => duration >= FAR_MS);
  }

  /** Fetches the list and reads it against the ledger. */
  async look(options: LookOptions = {}, request = this.listing()): Promise<Look> {
    const look = readList(await this.send(request, 'list'), this.ledger, { most: this.sampled, ...options });
    this.lists.push(look);
    return look;
  }

  /** One list for all who ask while another is in flight: it begins after they asked, so it shows what they wrote. */
  freshLook(): Promise<Look> {
    this.#lookAskedFor ??= this.#lookInFlight.then(() => {
      this.#lookAskedFor = undefined;
      const look = this.look();
      this.#lookInFlight = look.catch(() => undefined);
      return look;
    });
    return this.#lookAskedFor;
  }

  /** Enters a creation into the ledger and sends it. Throws Missing in read-only mode. */
  async create(creation: Creation, request: Request, patienceMs?: number) {
    this.mayCreate();
    this.ledger.enter(creation);
    const answer = await this.send(request, 'record', patienceMs);
    creation.exchange = answer.exchange;
    creation.answered = !isTold(answer) ? 'unknown' : answer.ok ? 'created' : 'refused';
    return { creation, answer };
  }

  /** Throws Missing where the user asked that nothing be created. */
  mayCreate(): void {
    if (this.settings.readOnly) throw excluded('read-only: nothing is created');
  }

  /**
   * The one way to wait: looks again, with a growing pause, until what must be there is there, or the settle time has
   * passed since `since`. The last look begins after that, however long the target takes for each.
   */
  async until<T>(look: () => Promise<T>, isThere: (value: T) => boolean, since = this.client.now()): Promise<T> {
    const left = () => since + this.settings.settleMs - this.client.now();
    for (let pause = SETTLE_PAUSE_MS; ; pause *= 2) {
      const isLast = left() <= 0;
      const value = await look();
      if (isLast || isThere(value)) return value;
      await this.client.deadline.pause(Math.min(pause, Math.max(1, left())));
    }
  }

  /** Fetches the list so until it can't be read, or shows what must be there. */
  lookUntil(isThere: (look: Look) => boolean, since?: number, look = () => this.look()): Promise<Look> {
    return this.until(look, (one) => !isReadable(one) || isThere(one), since);
  }

  /** Notes a choice of the service. */
  observe(name: string, value: string): void {
    this.observations.set(name, (this.observations.get(name) ?? new Set()).add(this.client.secrets.redact(value)));
  }
}

/** Whether a user was retrieved, or must have been made. */
export const mustBeThere = ({ identifier, fate, answered }: Creation) =>
  identifier !== undefined || (fate === 'must' && answered === 'created');

/** Whether a user was retrieved, or must have been made, and was answered before this list was asked for. */
export const isDueIn = ({ exchange }: Look, creation: Creation): boolean =>
  mustBeThere(creation) && (creation.exchange?.id ?? 0) < exchange.id && endOf(creation.exchange) <= exchange.at;

/**
 * Reads the list until the list shows what it must: every user that was retrieved, or that it must have
 * made, at least as many as before, and no contradiction within itself. What it shows when the settle time has passed
 * is what is judged.
 */
export async function settledLook(run: Context, before: Look, connection: Connection = 'kept'): Promise<Look> {
  const { creations } = run.ledger;
  const isSettled = (look: Look) => {
    const due = creations.filter((creation) => isDueIn(look, creation));
    const sent = due.flatMap(({ exchange }) => exchange ?? []);
    // What was sent while the list before was fetched may be in that one or not.
    const later = sent.filter(({ id, at }) => id > before.exchange.id && at >= endOf(before.exchange));
    if (isContradictory(look) || look.total < before.total + later.length) return false;
    return isPaged(look) || due.every((creation) => look.ours.get(creation)?.length === 1);
  };
  for (;;) {
    const since = run.ledger.lastEnd();
    const look = await run.lookUntil(isSettled, since, () => run.look({}, { ...run.listing(), connection }));
    // A user who was created meanwhile has the settle time, too.
    if (isSettled(look) || run.ledger.lastEnd() === since) return look;
  }
}

/** Waits until nothing of ours is younger than the settle time: no replica is behind then. */
export const untilSettled = ({ client, ledger, settings }: Context): Promise<void> =>
  client.deadline.pause(ledger.lastEnd() + settings.settleMs - client.now());
