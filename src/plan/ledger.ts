import { isDeepStrictEqual } from 'node:util';
import { type Answer, asksToWait, type Exchange, endOf, isAnswered } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import { type Identifier, identifierMember, mayBeShared } from './identifier.ts';
import { bounded, members, type Read } from './record.ts';
import { inDigits, type NewUser } from './users.ts';

/** What the service must make of a creation: a user, no user, or either. */
export type Fate = 'must' | 'may' | 'must-not';

/** One creation that the run asked for. */
export interface Creation {
  /** What is special about it, for messages. */
  what: string;
  fate: Fate;
  /** Whether other requests were in flight: what fails then is tried again alone. */
  inCompany: boolean;
  /** What was sent, or would have been if it were a plain creation. */
  user: NewUser;
  /**
   * Whether a user made of it is to be found by this email and name; not where a member was left out or is no string.
   */
  traces: Partial<NewUser>;
  /** How it went: from its end on the user must show within the settle time. Absent until it is answered. */
  exchange?: Exchange;
  /**
   * What the service said: `created` for 2xx, `refused` for any other answer, `unknown` where no answer came, or one
   * that says nothing of it (a 503, a gateway's 502 or 504).
   */
  answered?: 'created' | 'refused' | 'unknown';
  /**
   * What a 2xx answer to it shows of the user: the record, or else the whole body; not of a 202, which may name a job.
   */
  shown?: Record<string, unknown>;
  /** Whether the user was looked for. */
  isSought?: true;
  /** What retrieving showed of one who was looked for in vain; absent where no answer shows an identifier. */
  missed?: Read;
  /** What retrieved the user, once something did, and the answer. */
  identifier?: Identifier;
  read?: Read;
}

/** Whether an answer tells what became of a request: not where there is none, or a 503, or a gateway's. */
export const isTold = ({ exchange }: Pick<Answer, 'exchange'>) => isAnswered(exchange) && !asksToWait(exchange);

/** Characters of an address before the @ that stand in no other text by chance. */
const TELLING = 10;

/** Everything that the run asked to be created, for reading lists and answers against. */
export class Ledger {
  readonly creations: Creation[] = [];
  /** Where identifiers were found, the last place first. */
  places: readonly string[] = [];
  /** The member by which retrieving shows the identifier of every user; undefined where there is none. */
  identifierMember: string | undefined;
  /** Whether a user came to be there only some time after the creation was answered. */
  lags = false;
  /** Whether an identifier of nobody got another answer than a 2xx. */
  saysNobody = false;
  readonly #byEmail = new Map<string | undefined, Creation[]>();
  readonly #byName = new Map<string | undefined, Creation[]>();
  readonly #byText = new Map<string, Creation>();
  /** Values that may be identifiers, by place and text: whose answer shows them, or that it is several. */
  readonly #shownBy = new Map<string, object>();
  /** How a list has shown a user last. */
  readonly #listed = new Map<Creation, readonly Record<string, unknown>[]>();
  /** Stand in every email that only this run sends, and in such names. */
  readonly #tags: readonly [tag: string, inDigits: string];

  /** `tag` is in the names that only this run makes. */
  constructor(tag = '') {
    this.#tags = [tag, inDigits(tag)];
  }

  /** When the last creation so far was answered, in milliseconds of the run. */
  lastEnd(): number {
    return this.creations.reduce((last, one) => Math.max(last, endOf(one.exchange)), 0);
  }

  /** Enters a creation, before it is sent. */
  enter(creation: Creation): void {
    this.creations.push(creation);
    const { email, name } = creation.traces;
    const entered = (all: Creation[] = []) => [...all, creation];
    if (email !== undefined) this.#byEmail.set(email.toLowerCase(), entered(this.#byEmail.get(email.toLowerCase())));
    if (name !== undefined) this.#byName.set(name, entered(this.#byName.get(name)));
  }

  /** Enters what retrieved the user of a creation, and how. */
  prove(creation: Creation, identifier: Identifier, read: Read): void {
    Object.assign(creation, { identifier, read });
    this.#byText.set(identifier.text, creation);
    this.identifierMember = identifierMember(this.creations);
    const { place } = identifier;
    this.places = [place, ...this.places.filter((one) => one !== place)];
  }

  /** Enters what is shown of a user that may be the identifier: what several users have there is none. */
  show(owner: object, identifiers: Identifier[]): void {
    for (const { place, text } of identifiers.filter(mayBeShared)) {
      const key = `${place}\n${text}`;
      this.#shownBy.set(key, [undefined, owner].includes(this.#shownBy.get(key)) ? owner : SEVERAL);
    }
  }

  /**
   * What is kept of a user's item in a list: the same object as long as lists show the same, or they would fill the
   * memory.
   */
  listed(owner: Creation, item: Record<string, unknown>): readonly Record<string, unknown>[] {
    const before = this.#listed.get(owner);
    if (before && isDeepStrictEqual(before[0], item)) return before;
    const kept = [bounded(item)];
    this.#listed.set(owner, kept);
    return kept;
  }

  /** Whether several users have the same value in the same place: a status, a role, a count. */
  isShared({ place, text }: Identifier): boolean {
    return this.#shownBy.get(`${place}\n${text}`) === SEVERAL;
  }

  /**
   * Whose record it is: of the creation that sent this email and this name, or at least one of both where that is
   * clear; where it is not, of `likely` if that is one of these. Undefined where nothing tells, or where it is somebody
   * else's: another run, too, creates users who are called `Null` or `<b>bold</b>`, or whose email is `admin@…`.
   */
  ownerOf(record: Record<string, unknown>, likely?: Creation): Creation | undefined {
    const { email, name } = members(record);
    const [emailText, nameText] = [textOf(email), textOf(name)];
    const byName = this.#byName.get(nameText) ?? this.#byName.get(emailText) ?? [];
    const ofEmail = this.#byEmail.get(emailText?.toLowerCase()) ?? this.#byEmail.get(nameText?.toLowerCase()) ?? [];
    const isOurs = (one: Creation) =>
      one === likely || this.#isOwn(one.traces.email) || byName.includes(one) || this.#byIdentifier(record, [one]);
    const byEmail = ofEmail.filter(isOurs);
    const both = byEmail.filter((creation) => byName.includes(creation));
    const exact = both.find((creation) => creation.traces.email === email) ?? both[0];
    const [one, another] = byEmail.length > 0 ? byEmail : byName.filter(({ traces }) => this.#isOwn(traces.name));
    if (exact ?? (one && another === undefined)) return exact ?? one;
    // Several of one email or one name, or a record that shows neither as it was sent: the identifier tells whose it
    // is.
    const among = [byEmail, byName].find((all) => all.length > 0);
    const identified = this.#byIdentifier(record, among);
    if (identified || byEmail.length === 0) return identified;
    // Who was retrieved by another identifier is not meant.
    const open = byEmail.filter(({ identifier }) => identifier === undefined);
    const asSent = open.filter((creation) => creation.traces.email === email);
    const [first, ...others] = [asSent, open, byEmail].find((all) => all.length > 0) ?? [];
    if (others.length === 0) return first;
    return likely && (others.includes(likely) ? likely : first);
  }

  /** The creation, among these or all, whose identifier a record shows in the member in which retrieving shows it. */
  #byIdentifier(record: Record<string, unknown>, among = this.creations): Creation | undefined {
    const creation = this.#byText.get(textOf(record[this.identifierMember ?? '']) ?? '');
    return creation && among.includes(creation) ? creation : undefined;
  }

  /** What was entered of a request; undefined where it was no creation. */
  creationOf(id: number): Creation | undefined {
    return this.creations.findLast(({ exchange }) => exchange?.id === id);
  }

  /** The creations whose user was retrieved. */
  get proven(): Creation[] {
    return this.creations.filter(({ identifier }) => identifier !== undefined);
  }

  /**
   * How many users the run has made before a request: at least those that were retrieved, at most all that may have
   * been.
   */
  count({ id }: Exchange): { least: number; most: number } {
    const before = this.creations.filter(({ exchange }) => exchange && exchange.id < id);
    const may = before.filter(({ answered }) => answered !== 'refused');
    const known = new Set(may.flatMap(({ identifier }) => identifier?.text ?? []));
    return { least: known.size, most: may.length };
  }

  /**
   * The email or name of a user of the run, or a part of it, that a text shows, unless it is in the other text, too.
   */
  shownIn(text: string, except: string): string | undefined {
    for (const { user, fate, answered } of this.creations) {
      if (fate !== 'must' || answered !== 'created') continue;
      const [local = ''] = user.email.split('@');
      const parts = [user.email, user.name, ...(local.length >= TELLING ? [local] : [])];
      for (const value of parts) if (text.includes(value) && !except.includes(value)) return value;
    }
    return this.#isOwn(text) && !this.#isOwn(except) ? this.#tags[0] : undefined;
  }

  #isOwn(text = ''): boolean {
    return this.#tags.some((one) => text.toLowerCase().includes(one));
  }
}

const SEVERAL = {};
