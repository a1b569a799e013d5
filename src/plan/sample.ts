import { textOf } from '../http/value.ts';
import { bounded, members } from './record.ts';

type Item = Record<string, unknown>;

/** How many of a list's items are looked at more closely, besides the first and the last. */
const BETWEEN = 3;

/** How many identifiers are kept to find two that are the same. */
const IDENTIFIERS = 200_000;

/** Characters of a text that is kept for it. */
const LONGEST = 200;

/** Some of the items of a list that may be very long: the first, the last, some at random, and two of one identifier. */
export class Sample {
  readonly #member: string | undefined;
  readonly #between: Item[] = [];
  readonly #byIdentifier = new Map<string, [email: string, name: string]>();
  #first: Item | undefined;
  #last: Item | undefined;
  #twins: Item[] = [];
  #seen = 0;

  readonly #most: number;

  /** Looks for two of one identifier in a member, where that is known; keeps so many items besides the first and the last. */
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
    if (this.#member !== undefined && this.#twins.length === 0) this.#lookForTwin(item, this.#member);
  }

  chosen(): Item[] {
    const all = [this.#first, ...this.#between, this.#last && bounded(this.#last), ...this.#twins];
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

  #lookForTwin(item: Item, member: string): void {
    const text = textOf(item[member]);
    const { email, name } = members(item);
    if (!text || typeof email !== 'string' || typeof name !== 'string') return;
    if (Math.max(text.length, email.length, name.length) > LONGEST) return;
    const before = this.#byIdentifier.get(text);
    if (before) {
      const [otherEmail, otherName] = before;
      this.#twins = [{ ...bounded(item), email: otherEmail, name: otherName }, bounded(item)];
    } else if (this.#byIdentifier.size < IDENTIFIERS) this.#byIdentifier.set(text, [email, name]);
  }
}
