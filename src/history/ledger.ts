import { isDeepStrictEqual } from 'node:util';
import { textOf } from '../http/value.ts';
import { type Creation, firstRead, type Identifier, isAccepted } from './creation.ts';
import { identifierMember } from './identifier-member.ts';
import { compactRecord, type Item, members } from './record.ts';

/** An email's local part of fewer characters may be in another text by chance. */
const TELLING_CHARACTERS = 10;

/** All creations of a run, indexed, so that lists and responses can be compared with them. */
export class Ledger {
  readonly creations: Creation[] = [];
  /** The member by which retrieve responses show the identifier; undefined if there is none. */
  identifierMember: string | undefined;
  readonly #byEmail = new Map<string, Creation[]>();
  readonly #byName = new Map<string, Creation[]>();
  readonly #byIdentifier = new Map<string, Creation>();
  /** The last item that a list showed for a user. */
  readonly #lastItem = new Map<Creation, Item>();
  /** Texts that only users of this run have in their email or name. */
  readonly #tags: readonly string[];

  constructor(...tags: string[]) {
    this.#tags = tags;
  }

  /** When the last creation was complete, in milliseconds of the run. */
  lastEnd(): number {
    return this.creations.reduce((last, { exchange }) => {
      return exchange ? Math.max(last, exchange.at + exchange.duration) : last;
    }, 0);
  }

  /** Adds a creation, before it is sent. */
  add(creation: Creation): void {
    this.creations.push(creation);
    const { email, name } = creation.traces;
    if (email !== undefined) addTo(this.#byEmail, email.toLowerCase(), creation);
    if (name !== undefined) addTo(this.#byName, name, creation);
  }

  /** Notes the identifier that retrieved the user of a creation. */
  identify(creation: Creation, identifier: Identifier): void {
    creation.identifier = identifier;
    this.#byIdentifier.set(identifier.text, creation);
    this.identifierMember = identifierMember(
      this.identified.map((one) => [one.identifier?.text, firstRead(one)?.record]),
    );
  }

  /** The creations whose user was retrieved. */
  get identified(): Creation[] {
    return this.creations.filter(({ identifier }) => identifier !== undefined);
  }

  /** Returns the creation with this index or exchange; undefined for a request that creates nothing. */
  creationOf(exchangeId: number): Creation | undefined {
    return this.creations.findLast(({ exchange }) => exchange?.id === exchangeId);
  }

  /** Returns a compact copy of a user's list item: the same object while lists show the same, to save memory. */
  compactItem(owner: Creation, item: Item): Item {
    const last = this.#lastItem.get(owner);
    if (last && isDeepStrictEqual(last, item)) return last;
    const compact = compactRecord(item);
    this.#lastItem.set(owner, compact);
    return compact;
  }

  /**
   * Returns the creation that a record shows: the one that sent this email and this name, else one of both if that is
   * clear, else `likely` if it is among the possible ones. Returns undefined for somebody else's record: another run,
   * too, creates users called `Null` or with the email `admin@…`.
   */
  ownerOf(record: Item, likely?: Creation): Creation | undefined {
    const { email, name } = members(record);
    const [emailText, nameText] = [textOf(email), textOf(name)];
    // Email and name may be exchanged.
    const byName = this.#find(this.#byName, nameText) ?? this.#find(this.#byName, emailText) ?? [];
    const sameEmail =
      this.#find(this.#byEmail, emailText?.toLowerCase()) ??
      this.#find(this.#byEmail, nameText?.toLowerCase()) ??
      [];
    const byEmail = sameEmail.filter(
      (creation) =>
        creation === likely ||
        this.#isTagged(creation.traces.email) ||
        byName.includes(creation) ||
        this.#identifiedBy(record, [creation]) !== undefined,
    );
    const byBoth = byEmail.filter((creation) => byName.includes(creation));
    const asSent = byBoth.filter(({ traces }) => traces.email === email);
    const exact = asSent.length > 0 ? asSent : byBoth;
    // A creation that is tried again has the values of the one before, which was not accepted.
    const accepted = exact.filter(isAccepted);
    const isLikely = likely && exact.includes(likely) && accepted.every((one) => one === likely);
    const owner = isLikely ? likely : (accepted[0] ?? exact[0]);
    if (owner) return owner;
    const possible =
      byEmail.length > 0 ? byEmail : byName.filter(({ traces }) => this.#isTagged(traces.name));
    if (possible.length === 1) return possible[0];
    // Several users share the email or the name, or the record shows neither as sent: the identifier decides.
    const among = [byEmail, byName, this.creations].find(({ length }) => length > 0) ?? [];
    const identified = this.#identifiedBy(record, among);
    if (identified || byEmail.length === 0) return identified;
    return mostLikely(byEmail, email, likely);
  }

  /** Returns an email or name of a valid user of the run, or a part of it, that is in one text and not in the other. */
  leakIn(text: string, except: string): string | undefined {
    for (const { user, expected, response } of this.creations) {
      if (expected !== 'created' || response !== 'accepted') continue;
      const [local = ''] = user.email.split('@');
      const parts = [user.email, user.name];
      if (local.length >= TELLING_CHARACTERS) parts.push(local);
      const leaked = parts.find((part) => text.includes(part) && !except.includes(part));
      if (leaked !== undefined) return leaked;
    }
    return this.#isTagged(text) && !this.#isTagged(except) ? this.#tags[0] : undefined;
  }

  #find(index: Map<string, Creation[]>, text: string | undefined): Creation[] | undefined {
    return text === undefined ? undefined : index.get(text);
  }

  #identifiedBy(record: Item, among: Creation[]): Creation | undefined {
    const shown = textOf(record[this.identifierMember ?? '']);
    const creation = shown === undefined ? undefined : this.#byIdentifier.get(shown);
    return creation && among.includes(creation) ? creation : undefined;
  }

  #isTagged(text = ''): boolean {
    const lower = text.toLowerCase();
    return this.#tags.some((tag) => lower.includes(tag));
  }
}

/** Of creations with one email, the one that was not found by another identifier yet and sent it in the same case. */
function mostLikely(byEmail: Creation[], email: unknown, likely?: Creation): Creation | undefined {
  const open = byEmail.filter(({ identifier }) => identifier === undefined);
  const asSent = open.filter(({ traces }) => traces.email === email);
  const [first, ...others] = [asSent, open, byEmail].find(({ length }) => length > 0) ?? [];
  if (others.length === 0) return first;
  return likely && (others.includes(likely) ? likely : first);
}

function addTo(index: Map<string, Creation[]>, text: string, creation: Creation): void {
  const found = index.get(text);
  if (found) found.push(creation);
  else index.set(text, [creation]);
}
