import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Exchange, Request } from '../http/exchange.ts';
import { KEY } from '../http/key.ts';
import { Failure, type Finding, isOutcome, Needs, NotApplicable, NotVerified } from '../requirement/outcome.ts';
import { SETTLE_PAUSE_MS } from '../settings/limits.ts';
import type { Session } from './session.ts';
import { type ListView, type UserList, viewOf } from './user-list.ts';

/** The credentials of the interface document. */
export const BEARER = { authorization: `Bearer ${KEY}` };
const JSON_BODY = { 'content-type': 'application/json' };

/** What a check is given: the documented operations, raw requests, shared facts and the ways out besides passing. */
export class Check {
  readonly session: Session;
  /** The exchanges that this check looked at. */
  readonly seen: Exchange[] = [];
  /** How many statements were judged; a check that judged none does not pass. */
  judged = 0;

  constructor(session: Session) {
    this.session = session;
  }

  // Requests

  /** Sends a request as it is. Throws NotVerified when no answer comes. */
  async send(request: Request): Promise<Answer> {
    try {
      const answer = await this.session.client.send(request);
      this.seen.push(answer.exchange);
      return answer;
    } catch (error) {
      if (error instanceof NotVerified) this.seen.push(...error.exchanges);
      throw error;
    }
  }

  /** The path of a documented operation, below the base address. */
  path(operation: string): string {
    return `${this.session.client.basePath}${operation}`;
  }

  /** `GET /users`, by default with the right key. */
  list(headers: Record<string, string> = BEARER): Promise<Answer> {
    return this.send({ method: 'GET', path: this.path('/users'), headers: { accept: 'application/json', ...headers } });
  }

  /** `GET /users/:id`, by default with the right key; the segment is sent as it is. */
  retrieve(segment: string, headers: Record<string, string> = BEARER): Promise<Answer> {
    const path = this.path(`/users/${segment}`);
    return this.send({ method: 'GET', path, headers: { accept: 'application/json', ...headers } });
  }

  /** `POST /users`, by default with the right key; a string is sent as it is, anything else as JSON. */
  async create(body: unknown, headers: Record<string, string> = BEARER): Promise<Answer> {
    return this.send(this.creation(body, headers));
  }

  /** The request of `create`. */
  creation(body: unknown, headers: Record<string, string> = BEARER): Request {
    this.mayCreate();
    return {
      method: 'POST',
      path: this.path('/users'),
      headers: { accept: 'application/json', ...JSON_BODY, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    };
  }

  /** Ends the check where the person asked that nothing be created. */
  mayCreate(): void {
    if (this.session.settings.readOnly) this.notApplicable('read-only: nothing is created');
  }

  /**
   * Asks again with a growing pause until the answer is as it should be or the settle time is over. The last look begins
   * after it, however long the target takes for each.
   */
  async settled<T>(look: () => Promise<T>, isSettled: (value: T) => boolean | Promise<boolean>): Promise<T> {
    const { client, settings } = this.session;
    const started = client.now();
    for (let pause = SETTLE_PAUSE_MS; ; pause *= 2) {
      const left = settings.settleMs - (client.now() - started);
      const value = await look();
      if (left <= 0 || (await isSettled(value))) return value;
      await this.pause(Math.min(pause, Math.max(1, settings.settleMs - (client.now() - started))));
    }
  }

  /** Waits; not at all for a time that is negative. Throws NotVerified when the run ends. */
  async pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    try {
      await sleep(milliseconds, undefined, { signal: this.session.client.end.signal });
    } catch {
      throw this.session.client.end.error();
    }
  }

  /** Finds out once in a run what several checks need; each of them shows the exchanges that it took. */
  async fact<T>(name: string, find: (check: Check) => Promise<T>): Promise<T> {
    const { value, error, seen } = await this.session.fact(name, async () => {
      const finder = new Check(this.session);
      try {
        return { value: await find(finder), seen: finder.seen };
      } catch (error) {
        return { error, seen: finder.seen };
      }
    });
    this.seen.push(...seen.filter((exchange) => !this.seen.includes(exchange)));
    if (error !== undefined) throw error;
    return value as T;
  }

  // Judgements

  /** Judges one statement: fails with what was expected and what came instead, unless `holds`. */
  that(holds: boolean, expected: string, got: string, ...exchanges: Exchange[]): void {
    this.judged += 1;
    if (!holds) this.fail({ expected, got, exchanges });
  }

  fail(finding: Finding): never {
    throw new Failure(finding);
  }

  notApplicable(why: string): never {
    throw new NotApplicable(why);
  }

  notVerified(why: string, ...exchanges: Exchange[]): never {
    throw new NotVerified(why, exchanges);
  }

  /** Ends the check because what it stands on does not hold; that requirement itself tells what is wrong. */
  needs(slug: string, ...exchanges: Exchange[]): never {
    throw new Needs(slug, exchanges);
  }

  /** The answer's status is 2xx. */
  isSuccess(answer: Answer): void {
    const redirect = answer.status >= 300 && answer.status < 400 ? ' (a redirect is not followed)' : '';
    this.that(answer.ok, 'a 2xx status', `${answer.status}${redirect}`, answer.exchange);
  }

  /** The answer's status is one of these. */
  hasStatus(answer: Answer, statuses: number[]): void {
    this.that(statuses.includes(answer.status), `status ${statuses.join(' or ')}`, `${answer.status}`, answer.exchange);
  }

  /**
   * Judges every case, all at the same time, and gathers the failures into one. A case that does not apply is left out;
   * where one could not be verified and none failed, the whole is not verified.
   */
  async each<T>(cases: readonly T[], nameOf: (one: T) => string, judge: (one: T) => Promise<void>): Promise<void> {
    const ends = await Promise.allSettled(cases.map((one) => judge(one)));
    const reasons = ends.map((end, index) => ({
      name: nameOf(cases[index] as T),
      error: end.status === 'rejected' ? end.reason : undefined,
    }));
    const fault = reasons.find(({ error }) => error && !isOutcome(error));
    if (fault) throw fault.error;
    const failures = reasons.filter(({ error }) => error instanceof Failure);
    if (failures.length > 0) throw gathered(failures as { name: string; error: Failure }[]);
    const open = reasons.find(({ error }) => error instanceof NotVerified);
    if (open) throw open.error;
    const out = reasons.find(({ error }) => error instanceof NotApplicable);
    if (out && reasons.every(({ error }) => error instanceof NotApplicable)) throw out.error;
  }

  /** Ends the check where a list answer is not what the list's own requirements ask for. */
  isReadable({ ok, exchange, faults }: ListView): void {
    if (!ok) this.needs('list.answers', exchange);
    if (exchange.response?.jsonFault) this.needs('http.json', exchange);
    if (faults.data) this.needs('list.data-array', exchange);
    if (faults.total) this.needs('list.total-integer', exchange);
  }

  /** Reads a list answer; ends the check where it can't be read. */
  usersOf(answer: Answer): UserList {
    const view = viewOf(answer);
    this.isReadable(view);
    const { data } = answer.json as { data: unknown[] };
    return { ...view, data, pages: view.shown < view.total };
  }
}

/** Exchanges shown of a failure of many cases: enough to see the pattern. */
const SHOWN_CASES = 3;

function gathered(failures: { name: string; error: Failure }[]): Failure {
  const [first] = failures as [{ name: string; error: Failure }];
  if (failures.length === 1) {
    const { expected, got, exchanges } = first.error.finding;
    return new Failure({ expected, got: named(got, first.name), exchanges });
  }
  const expectations = new Set(failures.map(({ error }) => error.finding.expected));
  return new Failure({
    expected: [...expectations].join('; '),
    got: failures.map(({ name, error }) => named(error.finding.got, name)).join('; '),
    exchanges: failures.slice(0, SHOWN_CASES).flatMap(({ error }) => error.finding.exchanges),
  });
}

const named = (got: string, name: string) => (name === '' ? got : `${got} (${name})`);
