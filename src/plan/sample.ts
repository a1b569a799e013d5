import { textOf } from '../http/value.ts';
import { bounded, members } from './record.ts';

type Item = Record<string, unknown>;

/** How many of a list's items are looked at more closely, besides the first and the last. */
const BETWEEN = 3;

/** Identifiers of several items that are told. */
const REPEATED = 5;

/** Characters of an identifier that is looked for, and how many of them are kept: some megabytes. */
const LONGEST = 200;
const MOST_IDENTIFIERS = 200_000;

/** Some of the items of a list that may be very long: the first, the last, some at random; and what identifies several. */
export class Sample {
  readonly #member: string | undefined;
  readonly #between: Item[] = [];
  readonly #identifiers = new Set<string>();
  #first: Item | undefined;
  #last: Item | undefined;
  /** Identifiers that more than one item has. */
  readonly repeated: string[] = [];
  #seen = 0;

  readonly #most: number;

  /** Looks for several of one identifier in a member, where that is known; keeps so many items besides the first and the last. */
  constructor(identifierMember?: string, most = BETWEEN) {
    this.#most = most;
    this.#member = identifierMember;
  }

  add(item: Item): void {
    this.#seen += 1;
    if (this.#first === undefined) this.#first = bounded(item);
    else {
      // Each of those between is as likely to be chosen as any other.
      if (this.#last) this.#choose(this.#last);
      this.#last = item;
    }
    const text = this.#member === undefined ? undefined : textOf(item[this.#member]);
    if (!text || text.length > LONGEST || this.repeated.length === REPEATED) return;
    if (this.#identifiers.has(text)) this.repeated.push(text);
    else if (this.#identifiers.size < MOST_IDENTIFIERS) this.#identifiers.add(text);
  }

  chosen(): Item[] {
    const all = [this.#first, ...this.#between, this.#last && bounded(this.#last)];
    const chosen = new Map<string, Item>();
    for (const item of all) {
      if (item === undefined) continue;
      const { email, name } = members(item);
      const texts = [email, name, this.#member && item[this.#member]].map(textOf);
      chosen.set(texts.join('\n'), item);
    }
    return [...chosen.values()];
  }

  #choose(item: Item): void {
    const place =
      this.#between.length < this.#most ? this.#between.length : Math.floor(Math.random() * (this.#seen - 2));
    if (place < this.#most) this.#between[place] = bounded(item);
  }
}
