import { isDeepStrictEqual } from 'node:util';
import { textOf } from '../http/value.ts';
import {
  type Creation,
  createdAt,
  firstRead,
  type Identifier,
  isAccepted,
  type NewUser,
} from './creation.ts';
import { type IdentifierMembers, identifierMember } from './identifier-member.ts';
import { compactRecord, type Item, LONGEST_SENT, members } from './record.ts';

/** The shortest local part of an email that is not in another text by chance. */
const TELLING_CHARACTERS = 10;

/** Users who show where responses have identifiers: one value may be equal by chance. */
const IDENTIFIED_BY = 2;

/** The creations of a run, indexed by their members to find the creation of a record. */
export class Ledger {
  readonly creations: Creation[] = [];
  /** Where responses show identifiers, found by the first users. */
  readonly identifierMembers: IdentifierMembers = {};
  readonly #byEmail = new Map<string, Creation[]>();
  readonly #byName = new Map<string, Creation[]>();
  readonly #byIdentifier = new Map<string, Creation>();
  /** The creations with an identifier; undefined since another one got its identifier. */
  #identified: readonly Creation[] | undefined;
  /** The last list item of each user. */
  readonly #lastItem = new Map<Creation, Item>();
  readonly #compactItems = new WeakMap<Item, Item>();
  readonly #parts = new Map<NewUser, readonly string[]>();
  /** Texts that only users of this run have in their email or name. */
  readonly #tags: readonly string[];

  constructor(...tags: string[]) {
    this.#tags = tags;
  }

  /** Returns the end of the last creation, in milliseconds of the run. */
  lastEnd(): number {
    return this.creations.reduce((last, creation) => Math.max(last, createdAt(creation)), 0);
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
    this.#identified = undefined;
    this.#byIdentifier.set(identifier.text, creation);
    const { identified } = this;
    if (identified.length > IDENTIFIED_BY) return;
    this.#noteMember('created', identified, ({ shown }) => shown);
    this.#noteMember('retrieved', identified, (user) => firstRead(user)?.record);
  }

  /** Notes the member by which the items of a list show the identifiers of its users. */
  noteListed(items: ReadonlyMap<Creation, readonly Item[]>): void {
    if (this.identifierMembers.listed !== undefined) return;
    this.#noteMember('listed', [...items.keys()], (user) => items.get(user)?.[0]);
  }

  #noteMember(
    name: keyof IdentifierMembers,
    users: readonly Creation[],
    recordOf: (user: Creation) => Item | undefined,
  ): void {
    const records = users.map((user) => [user.identifier?.text, recordOf(user)] as const);
    const member = identifierMember(records);
    if (member === undefined) delete this.identifierMembers[name];
    else this.identifierMembers[name] = member;
  }

  /** The creations whose user was retrieved, in the order of the creations. */
  get identified(): readonly Creation[] {
    this.#identified ??= this.creations.filter(({ identifier }) => identifier !== undefined);
    return this.#identified;
  }

  /** Returns the creation of an exchange; undefined for another request. */
  creationOf(exchangeId: number): Creation | undefined {
    return this.creations.findLast(({ exchange }) => exchange?.id === exchangeId);
  }

  /** Returns a compact copy of a user's list item: the same object for equal items, to save memory. */
  compactItem(owner: Creation, item: Item): Item {
    const known = this.#compactItems.get(item);
    if (known) return known;
    const last = this.#lastItem.get(owner);
    const made = compactRecord(item);
    const compact = last && isDeepStrictEqual(last, made) ? last : made;
    this.#lastItem.set(owner, compact);
    this.#compactItems.set(item, compact);
    return compact;
  }

  /**
   * Returns the creation that a record shows: the one that sent this email and this name, or else
   * the only one that sent one of them, or else `likely` if it is possible. Returns undefined for a
   * record of another client: an email such as `admin@…` or the name `Null` alone proves nothing.
   */
  ownerOf(record: Item, likely?: Creation): Creation | undefined {
    const { email } = members(record);
    const byName = this.#withName(record);
    const byEmail = this.#withEmail(record).filter(
      (creation) =>
        creation === likely ||
        this.#isTagged(creation.traces.email) ||
        byName.includes(creation) ||
        this.#identifiedBy(record, [creation]) !== undefined,
    );
    const byBoth = byEmail.filter((creation) => byName.includes(creation));
    const owner = exactOwner(byBoth, email, likely);
    if (owner) return owner;
    const byTaggedName = byName.filter(({ traces }) => this.#isTagged(traces.name));
    const possible = byEmail.length > 0 ? byEmail : byTaggedName;
    if (possible.length === 1) return possible[0];
    // Several users share the email or the name, or the record shows neither as sent.
    const candidates = firstNonEmpty(byEmail, byName, this.creations);
    const identified = this.#identifiedBy(record, candidates);
    if (identified || byEmail.length === 0) return identified;
    return mostLikely(byEmail, email, likely);
  }

  /** Returns an email or name of a valid user that is in a response and not in the request. */
  leakIn(responseText: string, requestText: string): string | undefined {
    for (const { user, expected, response } of this.creations) {
      if (expected !== 'created' || response !== 'accepted') continue;
      const leak = this.#tellingParts(user).find((part) => {
        return responseText.includes(part) && !requestText.includes(part);
      });
      if (leak !== undefined) return leak;
    }
    const isLeak = this.#isTagged(responseText) && !this.#isTagged(requestText);
    return isLeak ? this.#tags[0] : undefined;
  }

  /** Returns the texts by which a response shows a user, made once for each user. */
  #tellingParts(user: NewUser): readonly string[] {
    const known = this.#parts.get(user);
    if (known) return known;
    const [local = ''] = user.email.split('@');
    const parts = [user.email, user.name];
    if (local.length >= TELLING_CHARACTERS) parts.push(local);
    this.#parts.set(user, parts);
    return parts;
  }

  /** Returns the creations with the name of a record, or with its email as their name. */
  #withName(record: Item): Creation[] {
    const { email, name } = members(record);
    const exchanged = lookUp(this.#byName, textOf(email));
    return lookUp(this.#byName, textOf(name)) ?? exchanged ?? [];
  }

  /** Returns the creations with the email of a record, or with its name as their email. */
  #withEmail(record: Item): Creation[] {
    const { email, name } = members(record);
    const exchanged = lookUp(this.#byEmail, emailKey(name));
    return lookUp(this.#byEmail, emailKey(email)) ?? exchanged ?? [];
  }

  /** Returns the candidate whose identifier the record shows. */
  #identifiedBy(record: Item, candidates: readonly Creation[]): Creation | undefined {
    const identifier = textOf(record[this.identifierMembers.retrieved ?? '']);
    const creation = lookUp(this.#byIdentifier, identifier);
    return creation && candidates.includes(creation) ? creation : undefined;
  }

  #isTagged(text = ''): boolean {
    const lower = text.toLowerCase();
    return this.#tags.some((tag) => lower.includes(tag));
  }
}

/**
 * Returns the owner among creations that sent the email and name of a record. A retry sends the
 * values of a creation that was not accepted, so an accepted creation comes first.
 */
function exactOwner(
  byBoth: readonly Creation[],
  email: unknown,
  likely: Creation | undefined,
): Creation | undefined {
  const sameCase = byBoth.filter(({ traces }) => traces.email === email);
  const exact = firstNonEmpty(sameCase, byBoth);
  const accepted = exact.filter(isAccepted);
  const isLikely =
    likely !== undefined &&
    exact.includes(likely) &&
    accepted.every((creation) => creation === likely);
  return isLikely ? likely : (accepted[0] ?? exact[0]);
}

/**
 * Returns the likeliest owner among several creations with the email of a record: one that no
 * identifier retrieved yet, and that sent the email in the same case. Undefined if several are
 * equally likely and there is no `likely`.
 */
function mostLikely(
  byEmail: readonly Creation[],
  email: unknown,
  likely: Creation | undefined,
): Creation | undefined {
  const open = byEmail.filter(({ identifier }) => identifier === undefined);
  const sameCase = open.filter(({ traces }) => traces.email === email);
  const [first, ...others] = firstNonEmpty(sameCase, open, byEmail);
  if (others.length === 0) return first;
  return likely && (others.includes(likely) ? likely : first);
}

function lookUp<T>(index: ReadonlyMap<string, T>, text: string | undefined): T | undefined {
  return text === undefined ? undefined : index.get(text);
}

/** Returns a value as emails are looked up; undefined if it is longer than any that was sent. */
function emailKey(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined || text.length > LONGEST_SENT ? undefined : text.toLowerCase();
}

function firstNonEmpty(...lists: (readonly Creation[])[]): readonly Creation[] {
  return lists.find(({ length }) => length > 0) ?? [];
}

function addTo(index: Map<string, Creation[]>, text: string, creation: Creation): void {
  const creations = index.get(text);
  if (creations) creations.push(creation);
  else index.set(text, [creation]);
}
