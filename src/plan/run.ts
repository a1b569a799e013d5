import { type Exchange, slowest } from '../http/exchange.ts';
import type { Secrets } from '../http/secrets.ts';
import { LosslessNumber } from '../http/value.ts';
import { Context } from './context.ts';
import { caseName, Missing, type OrMissing, present } from './evidence.ts';
import type { Step } from './step.ts';

const NOT_TAKEN = new Missing('the run ended before it');

/** A run of the plan: what steps work with, and what they have yielded, which they can't see. */
export class Run extends Context {
  /**
   * How the service has ended, where it was started for the run. `text`: such as `the service ended with exit code 1`;
   * `last`: what was sent last before; `again`: what ended it again when all of that was sent once more, the last
   * request that was answered, and the first that was not.
   */
  ended: { text: string; last: Exchange[]; again: Exchange[] } | undefined;
  /**
   * What did harm each time that it was sent: when it was sent first, when it was sent once more, and the valid request
   * after it, which failed or got no answer; absent where the target was away for a moment.
   */
  readonly culprits: { first: Exchange; again: Exchange; after?: Exchange }[] = [];
  /** What the suite itself crashed at, a sentence each. */
  readonly faults: string[] = [];
  /**
   * Why the plan was not carried out to its end, whether that is by the target, and everything that was sent.
   * Exchanges, looks and creations end with the last whole line of the plan then.
   */
  stopped: { why: Missing; by?: Missing['endsBy']; record: readonly Exchange[] } | undefined;
  /** How many exchanges and outages there were when the current line of the plan began. */
  line = { exchanges: 0, outages: 0 };
  /**
   * By steps and cases, where a step without cases has one, undefined. Of cases that are drawn several may have one
   * name.
   */
  readonly #found = new Map<string, Map<unknown, unknown>>();
  /** The last exchange of the last line of the plan that was carried out whole. */
  #whole = Number.POSITIVE_INFINITY;

  /** Whether the key is an everyday word, for which no answer can be searched. */
  readonly keyIsEveryday = this.client.secrets.keyIsEveryday;

  /** Every exchange, in the order in which they were sent. */
  get record() {
    return this.client.record.filter(({ id, attempts }) => attempts > 0 && id <= this.#whole);
  }

  /** Every list that was fetched, in the same order. */
  get looks() {
    return this.lists.filter(({ exchange }) => exchange.id <= this.#whole);
  }

  get creations() {
    return this.ledger.creations.filter(({ exchange }) => exchange === undefined || exchange.id <= this.#whole);
  }

  of<Y, C>({ name }: Pick<Step<Y, C>, 'name' | 'each'>, one?: C): OrMissing<Y> {
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

  /** Gives the plan up. Where that is by the target, nothing of the current line can be relied on. */
  stop(why: Missing): void {
    if (this.stopped) return;
    this.stopped = { why, by: why.endsBy, record: this.client.record.filter(({ attempts }) => attempts > 0) };
    this.#whole = why.endsBy ? this.line.exchanges : this.client.record.length;
  }

  /** Whether every answer so far came so many times sooner than it would be too late. */
  isQuick(times: number): boolean {
    return times * slowest(this.client.record) <= this.client.timeoutMs;
  }

  /** All that checks may look at as data, for a file: by names. */
  get evidence() {
    const { baseUrl, record, looks, creations, keyIsEveryday, stopped, ended, culprits, bad } = this;
    const cases = new Map<string, Map<string, unknown>>();
    for (const [name, all] of this.#found)
      cases.set(name, new Map([...all].map(([one, came]) => [caseName(one), came])));
    return { baseUrl, record, looks, creations, keyIsEveryday, stopped, ended, culprits, bad, cases };
  }

  /**
   * Forgets what came of cases, and of all lists but the first so many what they showed of users: what was judged
   * already, and would fill the memory. Counts, faults and exchanges stay.
   */
  forget(cases: ReadonlyMap<{ name: string }, ReadonlySet<unknown>>, looks: number): void {
    for (const [{ name }, all] of cases) for (const one of all) this.#found.get(name)?.delete(one);
    for (const look of this.lists.slice(looks)) Object.assign(look, { ours: new Map(), sample: [], watched: [] });
  }
}

/** All that checks may look at, as data: what came of cases, by the names of their steps and their own. */
export type RunRecord = Run['evidence'];

/**
 * Writes a record as JSON in which the same object stays the same (a list of values that name each other by their
 * places, as devalue reads it): shown, so without the key and without functions.
 */
export function writeRecord(record: RunRecord, { shown, redact }: Secrets): unknown[] {
  // By their own names steps and cases are found again.
  const names = [...record.cases].flatMap(([name, all]) => [name, ...all.keys()]);
  // Bodies may be long, and what is shown has none to be hidden.
  const bodies = record.record.map(shown).flatMap(({ request, response }) => present([request.body, response?.body]));
  const texts = new Map([...names, ...bodies].map((text) => [text, text]));
  const text = (value: string) => {
    if (!texts.has(value)) texts.set(value, redact(value));
    return texts.get(value) as string;
  };
  const slots: unknown[] = [];
  const places = new Map(UNWRITTEN);
  const placeOf = (value: unknown): number => {
    const known = places.get(value);
    if (known !== undefined) return known;
    const place = slots.push(undefined) - 1;
    places.set(value, place);
    slots[place] = typeof value === 'string' ? text(value) : isObjectOrArray(value) ? written(value) : value;
    return place;
  };
  const written = (value: object) => {
    if (Array.isArray(value)) return value.map(placeOf);
    if (value instanceof Map) return ['Map', ...[...value].flat(1).map(placeOf)];
    if (value instanceof Set) return ['Set', ...[...value].map(placeOf)];
    if (value instanceof Missing) return ['Missing', placeOf([value.message, value.exchanges, value.excluded])];
    if (value instanceof LosslessNumber) return ['Number', placeOf(value.value)];
    const members: Record<string, number> = {};
    // No check reads a member `__proto__`, and none can be written.
    for (const [name, own] of Object.entries(isExchange(value) ? shown(value) : value))
      if (name !== '__proto__' && typeof own !== 'function') members[text(name)] = placeOf(own);
    return members;
  };
  placeOf(record);
  return slots;
}

/** The numbers by which the format names what JSON has not. */
const UNWRITTEN: [unknown, number][] = [
  [undefined, -1],
  [Number.NaN, -3],
  [Number.POSITIVE_INFINITY, -4],
  [Number.NEGATIVE_INFINITY, -5],
];

const isObjectOrArray = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isExchange = (value: object): value is Exchange => 'request' in value && 'attempts' in value;
