import { type Creation, createdAt, type Identifier, type NewUser } from '../history/creation.ts';
import type { History, Operation } from '../history/history.ts';
import { Ledger } from '../history/ledger.ts';
import { type List, readList } from '../history/list.ts';
import { readUser } from '../history/read-user.ts';
import type { Read } from '../history/record.ts';
import type { Client } from '../http/client.ts';
import type { Answer, Request, ShownText } from '../http/exchange.ts';
import { whyExcluded } from '../http/failure.ts';
import { BEARER, KEY } from '../http/key.ts';
import type { BodyKind } from '../http/response.ts';
import type { Settings } from '../settings/settings.ts';
import type { StartedService } from './away.ts';
import { inDigits, type UserFactory, userFactory } from './users.ts';

/** The settings that a run reads. */
export type RunSettings = Pick<Settings, 'readOnly' | 'settleMs' | 'emailDomain'>;

/** The first pause before a stale read is repeated; each later one is twice as long. */
const FIRST_PAUSE_MS = 20;

/** The path of an operation, below the base address. */
const OPERATION_PATH = /^\/users(\/[^/;?]+)?(\?|$)/;

/** A request can't be sent, because the settings exclude it, or shows nothing. */
export class ExcludedError extends Error {}

/** Whether a response may be stale directly after a negative request: only a 404 may. */
export const isStaleAfterRejection = ({ exchange }: Read): boolean =>
  exchange.response?.status === 404;

/** The state of a run: the usual requests, the users, the lists, and one way to wait. */
export class World {
  readonly client: Client;
  readonly baseUrl: string;
  readonly settings: RunSettings;
  readonly factory: UserFactory;
  readonly ledger: Ledger;
  /** The record of the run so far. */
  readonly history: History;
  /** The place of identifiers in responses, once the values there have retrieved two users. */
  place: string | undefined;
  /** Whether an unknown identifier got another status than 2xx. */
  rejectsUnknownUsers = false;
  /** The choices of the service where the interface leaves one, by name. */
  readonly observations = new Map<string, Set<ShownText>>();
  /** The values of each create response that may be the identifier of the user. */
  readonly candidates = new Map<Creation, Identifier[]>();
  /** Users who share an email or a name with another user, each with one other. */
  readonly sharedUsers = new Set<Creation>();
  /** Creations that the service is free to reject, such as a duplicate, and rejects. */
  readonly freelyRejected: Creation[] = [];
  /**
   * The operations that succeed as a second request on a connection, and the outages before they
   * were checked.
   */
  checkedOperations: { operations: readonly Operation[]; outages: number } | undefined;
  /** The target, if the suite has started it. */
  service: StartedService | undefined;
  /** The ids of valid requests that followed a negative one. */
  readonly followUpIds = new Set<number>();
  /** Called after each step, when no request is in flight. */
  onStep: () => void = () => {};
  #listInFlight: Promise<unknown> = Promise.resolve();
  #nextList: Promise<List> | undefined;

  constructor(client: Client, baseUrl: string, settings: RunSettings) {
    this.client = client;
    this.baseUrl = baseUrl;
    this.settings = settings;
    this.factory = userFactory(settings.emailDomain);
    this.ledger = new Ledger(this.factory.tag, inDigits(this.factory.tag));
    client.isElsewhere = ({ path, headers }) =>
      !path.startsWith(client.basePath) ||
      !OPERATION_PATH.test(path.slice(client.basePath.length)) ||
      'host' in headers;
    this.history = {
      baseUrl,
      keyIsEveryday: client.secrets.keyIsEveryday,
      isReadOnly: settings.readOnly,
      exchanges: client.record,
      creations: this.ledger.creations,
      lists: [],
      results: [],
      skipped: [],
      firstUsers: [],
      identifierMembers: this.ledger.identifierMembers,
      rereads: [],
      unauthorized: [],
      bursts: [],
      atRest: [],
      existing: [],
      locations: [],
      outages: [],
      parts: [],
    };
  }

  /** Every list that was fetched. */
  get lists(): List[] {
    return this.history.lists;
  }

  // The usual requests, as the interface shows them

  listing(): Request {
    const path = `${this.client.basePath}/users`;
    return { method: 'GET', path, headers: { accept: 'application/json', ...BEARER } };
  }

  retrieval(segment: string): Request {
    const listing = this.listing();
    return { ...listing, path: `${listing.path}/${segment}` };
  }

  creating(user: NewUser): Request {
    const headers = { accept: 'application/json', 'content-type': 'application/json', ...BEARER };
    return { method: 'POST', path: this.listing().path, headers, body: JSON.stringify(user) };
  }

  /**
   * Sends a request. Throws ExcludedError if it would create a user in read-only mode, or if its
   * response shows nothing.
   */
  async send(request: Request, wanted: BodyKind = 'record', patienceMs?: number): Promise<Answer> {
    if (request.method === 'POST') this.requireWritable();
    try {
      return await this.client.send(request, wanted, patienceMs);
    } catch (error) {
      const reason = whyExcluded(error);
      throw reason === undefined ? error : new ExcludedError(reason);
    }
  }

  /** Sends a request and marks it as valid, so that checks of the whole run judge its response. */
  async sendValid(request: Request, wanted: BodyKind = 'record'): Promise<Answer> {
    const answer = await this.send(request, wanted);
    answer.exchange.isValid = true;
    return answer;
  }

  /** Throws ExcludedError in read-only mode. */
  requireWritable(): void {
    if (this.settings.readOnly) throw new ExcludedError('read-only: nothing is created');
  }

  /** Notes a choice of the service. */
  observe(name: string, value: string): void {
    const values = this.observations.get(name) ?? new Set();
    this.observations.set(name, values.add(this.client.secrets.showText(value)));
  }

  /**
   * Repeats a request, with growing pauses, until it is done or the settle time has passed since
   * `since`. The last request is sent after that. Nothing else waits for a response to change.
   */
  async until<T>(
    request: () => Promise<T>,
    isDone: (value: T) => boolean,
    since = this.client.now(),
  ): Promise<T> {
    const left = () => since + this.settings.settleMs - this.client.now();
    for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
      const isLast = left() <= 0;
      const value = await request();
      if (isLast || isDone(value)) return value;
      await this.client.deadline.pause(Math.min(pause, Math.max(1, left())));
    }
  }

  // Lists

  /** Fetches the list once. */
  async fetchList(request = this.listing()): Promise<List> {
    const answer = await this.sendValid(request, 'list');
    const list = readList(answer, this.ledger);
    this.lists.push(list);
    return list;
  }

  /** Fetches a list that is requested after this call. Callers share the next one. */
  nextList(): Promise<List> {
    this.#nextList ??= this.#listInFlight.then(() => {
      this.#nextList = undefined;
      const list = this.fetchList();
      this.#listInFlight = list.catch(() => undefined);
      return list;
    });
    return this.#nextList;
  }

  // Identifiers and reads

  /** Leaves out identifiers that contain the key, which belongs in no path. */
  sendable(identifiers: Identifier[]): Identifier[] {
    const { secrets } = this.client;
    const isSafe = (text: string) => !secrets.holds(text) && !text.includes(KEY);
    return identifiers.filter(({ text, segment }) => isSafe(text) && isSafe(segment));
  }

  /** Sends one request to retrieve a user. */
  async readOnce(creation: Creation, request: Request): Promise<Read> {
    const answer = await this.sendValid(request);
    return readUser(answer, creation, this.ledger);
  }

  /**
   * Retrieves a user by its identifier and repeats the request while the response may be stale.
   * Without `isStale`, responses may be stale as for a user who was just created.
   */
  async retrieve(
    creation: Creation,
    request: Request,
    isStale = (read: Read) => this.mayBeStale(read),
  ): Promise<Read> {
    const read = await this.until(
      () => this.readOnce(creation, request),
      (latest) => !isStale(latest),
      createdAt(creation),
    );
    creation.reads.push(read);
    return read;
  }

  /**
   * Whether a response may come from a replica that lacks a new user: a 404, 410, 403 or 400, or a
   * 2xx without any user from a service that responds so to unknown identifiers.
   */
  mayBeStale({ ok, record, others, isUnreadable, exchange }: Read): boolean {
    if (!ok) return [404, 410, 403, 400].includes(exchange.response?.status ?? 0);
    if (this.rejectsUnknownUsers || isUnreadable) return false;
    return record === undefined && others.length === 0;
  }
}
