import type { Client } from '../http/client.ts';
import { KeptByProxy } from '../http/client.ts';
import { type Answer, type Exchange, isAnswered, type Request } from '../http/exchange.ts';
import { BEARER } from '../http/key.ts';
import type { Wanted } from '../http/wire.ts';
import { CONCURRENCY, FAR_AT_ONCE, SETTLE_PAUSE_MS } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';
import { type CaseYielding, Missing, type PlanStop, type Yields } from './evidence.ts';
import { type Identifier, kindOf } from './identifier.ts';
import { type Creation, Ledger } from './ledger.ts';
import { ListReader, type Look, type LookOptions } from './look.ts';
import type { Culprit } from './outages.ts';
import type { RunRecord } from './run-record.ts';
import type { StartedService } from './service.ts';
import type { ServiceEnd } from './service-end.ts';
import { StepYields } from './step-yields.ts';
import { UserFactory } from './users.ts';

/** A target that answers sooner gains nothing by many requests at once, and may be a small server that loses some of them. */
const FAR_MS = 25;

/** Answers may take so many times as long when many more requests are under way, and others use the machine as well. */
const QUICK = 20;

const ACCEPT = { accept: 'application/json' };

/** The settings that steps look at. */
export type RunSettings = Pick<Settings, 'readOnly' | 'settleMs' | 'emailDomain'>;

/** What steps work with: the operations of the interface, the ledger, and one way to wait. */
export class Run extends StepYields implements Yields {
  readonly client: Client;
  readonly baseUrl: string;
  readonly settings: RunSettings;
  /** The target's own process, where it was started for the run. */
  readonly service: StartedService | undefined;
  ended: ServiceEnd | undefined;
  readonly ledger = new Ledger();
  readonly factory: UserFactory;
  readonly #looks: Look[] = [];
  /** The ids of the exchanges of requests that no conforming service carries out. */
  readonly bad = new Set<number>();
  /** What ended the service, each time that it was sent. */
  readonly culprits: Culprit[] = [];
  stopped: PlanStop | undefined;
  /** How many users of others are looked at more closely; undefined: a few. */
  sampled: number | undefined;
  /** The last exchange of the last line of the plan that was carried out whole. */
  #whole = Number.POSITIVE_INFINITY;
  #lineBegan = 0;
  /** What the service has chosen, by name. */
  readonly observations = new Map<string, Set<string>>();
  /** The statuses by which the service says that a user is not there. */
  readonly notFound = new Set([404, 410]);
  /** Where identifiers were found, the last place first. */
  readonly places: string[] = [];
  #forgotten = 0;
  #lookUnderWay: Promise<unknown> = Promise.resolve();
  #lookAskedFor: Promise<Look> | undefined;

  constructor(client: Client, baseUrl: string, settings: RunSettings, service?: StartedService) {
    super();
    this.client = client;
    this.baseUrl = baseUrl;
    this.settings = settings;
    this.service = service;
    this.factory = new UserFactory(settings.emailDomain);
  }

  // Requests, as the interface shows them

  listing(headers: Record<string, string> = BEARER): Request {
    return { method: 'GET', path: this.path('/users'), headers: { ...ACCEPT, ...headers } };
  }

  retrieval(segment: string, headers: Record<string, string> = BEARER): Request {
    return { method: 'GET', path: this.path(`/users/${segment}`), headers: { ...ACCEPT, ...headers } };
  }

  /** A string is sent as it is, anything else as JSON. */
  creating(body: unknown, headers: Record<string, string> = BEARER): Request {
    return {
      method: 'POST',
      path: this.path('/users'),
      headers: { ...ACCEPT, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    };
  }

  /** The path of an operation, below the base address. */
  path(operation: string): string {
    return `${this.client.basePath}${operation}`;
  }

  /** Sends a request. Throws Missing where a proxy of the user's own keeps it from being sent. */
  async send(request: Request, wanted: Wanted = 'record', patienceMs?: number): Promise<Answer> {
    try {
      return await this.client.send(request, wanted, patienceMs);
    } catch (error) {
      if (error instanceof KeptByProxy) throw new Missing(error.message, [], { excluded: true });
      throw error;
    }
  }

  /** Fetches the list and reads it against the ledger. */
  async look(sought: LookOptions = {}, request = this.listing()): Promise<Look> {
    const reader = new ListReader(this.ledger, { most: this.sampled, ...sought });
    const look = reader.look(await this.send(request, reader));
    this.#looks.push(look);
    return look;
  }

  /** One list for all who ask while another is under way: it begins after they asked, so it shows what they wrote. */
  freshLook(): Promise<Look> {
    this.#lookAskedFor ??= this.#lookUnderWay.then(() => {
      this.#lookAskedFor = undefined;
      const look = this.look();
      this.#lookUnderWay = look.catch(() => undefined);
      return look;
    });
    return this.#lookAskedFor;
  }

  /** Enters a creation into the ledger and sends it. Throws Missing in read-only mode. */
  async create(
    creation: Omit<Creation, 'exchange' | 'answered'>,
    request: Request,
    patienceMs?: number,
  ): Promise<[Creation, Answer]> {
    this.mayCreate();
    const entered: Creation = { ...creation };
    this.ledger.enter(entered);
    const answer = await this.send(request, 'record', patienceMs);
    entered.exchange = answer.exchange;
    const told = isAnswered(answer.exchange) && answer.status !== 503;
    entered.answered = !told ? 'unknown' : answer.ok ? 'created' : 'refused';
    return [entered, answer];
  }

  /** Throws Missing where the user asked that nothing be created. */
  mayCreate(): void {
    if (this.settings.readOnly) throw new Missing('read-only: nothing is created', [], { excluded: true });
  }

  /** Whether every answer so far came so many times sooner than it would be too late. */
  isQuick(times: number): boolean {
    return times * Math.max(0, ...this.client.record.map(({ duration }) => duration)) <= this.client.timeoutMs;
  }

  /** How many requests may be under way at once, by how the target has answered so far. */
  atOnce(): number {
    const isFar = this.client.record.every(({ duration }) => duration >= FAR_MS);
    return isFar && this.isQuick(QUICK) ? FAR_AT_ONCE : CONCURRENCY;
  }

  // Waiting

  /**
   * The one way to wait: looks again, with a growing pause, until what must be there is there, or the settle time has passed
   * since `since`. The last look begins after that, however long the target takes for each.
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

  // Evidence

  /** Notes where the identifier of a user was found. */
  found({ place, text }: Identifier): void {
    if (this.places.includes(place)) this.places.splice(this.places.indexOf(place), 1);
    this.places.unshift(place);
    this.observe('identifier', `${kindOf(text)}, in the ${place}`);
  }

  /** Notes a choice of the service. */
  observe(name: string, value: string): void {
    this.observations.set(name, (this.observations.get(name) ?? new Set()).add(this.client.redact(value)));
  }

  get keyIsEveryday(): boolean {
    return this.client.keyIsEveryday;
  }

  get record(): readonly Exchange[] {
    return this.client.record.filter(({ id, attempts }) => attempts > 0 && id <= this.#whole);
  }

  get looks(): readonly Look[] {
    return this.#looks.filter(({ exchange }) => exchange.id <= this.#whole);
  }

  get creations(): readonly Creation[] {
    return this.ledger.creations.filter(({ exchange }) => exchange === undefined || exchange.id <= this.#whole);
  }

  /** Notes that a line of the plan begins. */
  beginLine(): void {
    this.#lineBegan = this.client.record.length;
  }

  /** Gives the plan up. Where that is by the target, nothing of the line that is under way can be relied on. */
  stop(why: Missing, by?: PlanStop['by']): void {
    if (this.stopped) return;
    this.stopped = { why, record: this.client.record.filter(({ attempts }) => attempts > 0), ...(by && { by }) };
    this.#whole = by ? this.#lineBegan : this.client.record.length;
  }

  /** All of it as data, for a file. */
  get evidence(): RunRecord {
    const { baseUrl, record, looks, creations, keyIsEveryday, stopped, ended, culprits, bad } = this;
    return { baseUrl, record, looks, creations, keyIsEveryday, stopped, ended, culprits, bad, ...this.named() };
  }

  isBad({ id }: Exchange): boolean {
    return this.bad.has(id);
  }

  /**
   * Forgets what came of cases, and of all lists but the first so many what they showed of users: what was judged already, and
   * would fill the memory. Counts, faults and exchanges stay.
   */
  forget(cases: ReadonlyMap<CaseYielding<never, unknown>, ReadonlySet<unknown>>, looks: number): void {
    this.forgetCases(cases);
    for (const look of this.#looks.slice(Math.max(looks, this.#forgotten))) {
      look.ours = new Map();
      look.sample = [];
      look.watched = [];
    }
    this.#forgotten = this.#looks.length;
  }
}
