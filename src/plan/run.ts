import { type Exchange, slowest } from '../http/exchange.ts';
import { Context } from './context.ts';
import { caseName, Missing, type OrMissing, PlanEnd, type PlanStop, type Yielding, type Yields } from './evidence.ts';
import type { Creation } from './ledger.ts';
import type { Look } from './look.ts';
import type { Culprit } from './outages.ts';
import type { RunRecord } from './run-record.ts';
import { type ServiceEnd, type StartedService, whyOpen } from './service-end.ts';

const NOT_TAKEN = new Missing('the run ended before it');

/** A run of the plan: what steps work with, and what they have yielded, which they can't see. */
export class Run extends Context implements Yields {
  /** The target's own process, where it was started for the run. */
  service: StartedService | undefined;
  ended: ServiceEnd | undefined;
  readonly culprits: Culprit[] = [];
  stopped: PlanStop | undefined;
  /** How many exchanges, outages and upset requests there were when the current line of the plan began. */
  line = { exchanges: 0, outages: 0, upset: 0 };
  /** By steps and cases, where a step without cases has one, undefined. Of cases that are drawn several may have one name. */
  readonly #found = new Map<string, Map<unknown, OrMissing<unknown>>>();
  /** The last exchange of the last line of the plan that was carried out whole. */
  #whole = Number.POSITIVE_INFINITY;
  #forgotten = 0;

  get keyIsEveryday(): boolean {
    return this.client.secrets.keyIsEveryday;
  }

  get record(): readonly Exchange[] {
    return this.client.record.filter(({ id, attempts }) => attempts > 0 && id <= this.#whole);
  }

  get looks(): readonly Look[] {
    return this.lists.filter(({ exchange }) => exchange.id <= this.#whole);
  }

  get creations(): readonly Creation[] {
    return this.ledger.creations.filter(({ exchange }) => exchange === undefined || exchange.id <= this.#whole);
  }

  of<Y, C>({ name }: Yielding<Y, C>, one?: C): OrMissing<Y> {
    return (this.#found.get(name)?.get(one) ?? NOT_TAKEN) as OrMissing<Y>;
  }

  /** Whether a case was carried out, or tried. */
  isTaken({ name }: { name: string }, one: unknown): boolean {
    return this.#found.get(name)?.has(one) === true;
  }

  /** Keeps what came of a case. */
  keep({ name }: { name: string }, one: unknown, found: unknown): void {
    this.#found.set(name, (this.#found.get(name) ?? new Map()).set(one, found));
  }

  /** What the suite itself crashed at, a sentence each. */
  faults(): string[] {
    const found = [...this.#found.values()].flatMap((all) => [...all.values()]);
    return found.flatMap((one) => (one instanceof Missing && one.isFault ? [one.message] : []));
  }

  /** Gives the plan up. Where that is by the target, nothing of the current line can be relied on. */
  stop(why: Missing): void {
    if (this.stopped) return;
    const by = why instanceof PlanEnd ? why.by : undefined;
    this.stopped = { why, record: this.client.record.filter(({ attempts }) => attempts > 0), ...(by && { by }) };
    this.#whole = by ? this.line.exchanges : this.client.record.length;
  }

  /** Notes that the service has ended: the plan is given up, and nothing more is sent. */
  end(end: ServiceEnd): void {
    this.ended = end;
    this.client.gone = end.text;
    this.stop(whyOpen(end));
  }

  /** Whether every answer so far came so many times sooner than it would be too late. */
  isQuick(times: number): boolean {
    return times * slowest(this.client.record) <= this.client.timeoutMs;
  }

  /** All that checks may look at as data, for a file: by names. */
  get evidence(): RunRecord {
    const { baseUrl, record, looks, creations, keyIsEveryday, stopped, ended, culprits, bad } = this;
    const cases = new Map(
      [...this.#found].map(([name, all]) => [name, new Map([...all].map(([one, found]) => [caseName(one), found]))]),
    );
    return { baseUrl, record, looks, creations, keyIsEveryday, stopped, ended, culprits, bad, cases };
  }

  /**
   * Forgets what came of cases, and of all lists but the first so many what they showed of users: what was judged already, and
   * would fill the memory. Counts, faults and exchanges stay.
   */
  forget(cases: ReadonlyMap<{ name: string }, ReadonlySet<unknown>>, looks: number): void {
    for (const [{ name }, all] of cases) for (const one of all) this.#found.get(name)?.delete(one);
    for (const look of this.lists.slice(Math.max(looks, this.#forgotten))) {
      look.ours = new Map();
      look.sample = [];
      look.watched = [];
    }
    this.#forgotten = this.lists.length;
  }
}
