import type { Parser } from '../http/body.ts';
import { COMMA, OPEN_ARRAY, OPEN_OBJECT, parseScanned, Scanner, TooMuch } from '../http/json.ts';
import { RECORD_LIMIT } from '../settings/limits.ts';

/** Takes the items of a list's `data`, some at a time, as they come. */
export interface ItemReader {
  /** Called before the first item; again where they begin anew, and what came before does not count. */
  start(): void;
  items(items: unknown[]): void;
}

/** Characters of items that are parsed at once. */
const PARSED_AT_ONCE = 64 * 1024;

const BLANK = /^[ \t\r\n]*$/;

/** What stands before the items, each letter as itself or escaped; and how many characters of it are looked at. */
const BEFORE_ITEMS = /[{,\s]"(d|\\u0064)(a|\\u0061)(t|\\u0074)(a|\\u0061)"\s*:\s*$/;
const LOOKED_AT = 1000;

/** How a page begins, for example. */
const NO_JSON = /^[ \t\r\n]*[^ \t\r\n{["\-\dtfn]/;

/**
 * Parses the JSON text of a list, which may be very long, part by part: the items of `data` go to a reader, and what stands
 * around them is kept. The items of an array in the place of the object are only checked to be JSON.
 */
export class ListParser implements Parser {
  readonly #reader: ItemReader;
  readonly #scanner = new Scanner((code, level, at) => this.#see(code, level, at), 2);
  /** The text without the items. */
  #frame = '';
  /** Items that are not parsed yet. */
  #open = '';
  /** The level of the items, while they come; else 0. */
  #level = 0;
  #afterComma = false;
  #isObject = false;
  #begun = false;
  #readsItems = false;
  #part = '';
  #from = 0;

  constructor(reader: ItemReader) {
    this.#reader = reader;
    reader.start();
  }

  /** Takes the next part. Throws TooMuch beyond the suite's own limits, and a SyntaxError where it is no JSON. */
  push(part: string): void {
    [this.#part, this.#from] = [part, 0];
    this.#scanner.push(part);
    const rest = part.slice(this.#from);
    if (this.#level > 0) this.#open += rest;
    else this.#frame += rest;
    if (Math.max(this.#open.length, this.#frame.length) > RECORD_LIMIT) {
      if (NO_JSON.test(this.#frame)) throw new SyntaxError('no JSON text begins so');
      throw new TooMuch(`it has more than ${RECORD_LIMIT / 2 ** 20} MiB in one piece`);
    }
  }

  /** What stands around the items, with an empty array in their place. Throws a SyntaxError where it is no JSON. */
  end(): unknown {
    return JSON.parse(this.#frame);
  }

  #see(code: number, level: number, at: number): void {
    if (this.#level > 0) this.#seeItems(code, level, at);
    else if (level === 0 && !this.#begun) {
      this.#begun = true;
      this.#isObject = code === OPEN_OBJECT;
      if (code === OPEN_ARRAY) this.#beginItems(1, at, false);
    } else if (level === 1 && this.#isObject && code === OPEN_ARRAY) {
      const before = this.#frame.slice(-LOOKED_AT) + this.#part.slice(Math.max(this.#from, at - LOOKED_AT), at);
      if (BEFORE_ITEMS.test(before.slice(-LOOKED_AT))) this.#beginItems(2, at, true);
    }
  }

  #beginItems(level: number, at: number, readsItems: boolean): void {
    this.#frame += this.#part.slice(this.#from, at + 1);
    this.#from = at + 1;
    this.#level = level;
    this.#afterComma = false;
    this.#scanner.odd = false;
    this.#readsItems = readsItems;
    if (readsItems) this.#reader.start();
  }

  #seeItems(code: number, level: number, at: number): void {
    if (level < this.#level) {
      this.#parse(at, true);
      this.#level = 0;
      this.#from = at;
    } else if (code === COMMA && level === this.#level) {
      if (this.#open.length + at - this.#from < PARSED_AT_ONCE) return;
      this.#parse(at, false);
      this.#afterComma = true;
      this.#from = at + 1;
    }
  }

  /** Parses the items up to a place, and hands them on. */
  #parse(at: number, isLast: boolean): void {
    const text = this.#open + this.#part.slice(this.#from, at);
    this.#open = '';
    if (BLANK.test(text)) {
      if (isLast && !this.#afterComma) return;
      throw new SyntaxError('a comma without an item');
    }
    const items = parseScanned(`[${text}]`, this.#scanner.odd) as unknown[];
    this.#scanner.odd = false;
    if (this.#readsItems) this.#reader.items(items);
  }
}
