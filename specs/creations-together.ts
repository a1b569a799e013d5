import { isAnswered } from '../src/http/exchange.ts';
import { show, textOf } from '../src/http/value.ts';
import { after, cases, type OrMissing, orMissingOf, part, present } from '../src/plan/evidence.ts';
import { identifierMember } from '../src/plan/identifier.ts';
import type { Creation } from '../src/plan/ledger.ts';
import { isFine, members } from '../src/plan/record.ts';
import type { CreateResult } from '../src/plan/requests.ts';
import { anotherFor, isHidden, isKnown, type UserSearch } from '../src/plan/seek.ts';
import { faultOf, isFailure, settled, type Tried } from '../src/plan/step.ts';
import { firstUsers, isShown, whyUnknown } from '../src/plan/steps/first.ts';
import { groups, kept, type TwinCase, type Twins, twinsOf, type UserCase } from '../src/plan/steps/users.ts';
import type { NewUser, UserKind } from '../src/plan/users.ts';
import { each, type Finding, missing, of, PASSED, that } from '../src/requirement/finding.ts';
import { firstWord, PLAIN_KINDS, usualUser, WRITTEN_KINDS } from './plain-users.ts';
import { chapter, drawn, must, rule } from './requirement.ts';
import { mayBeRefused } from './round-trip.ts';
import { anyHeaders, rewritten, writtenCreations } from './writings.ts';

/**
 * As many users at the same time as a busy minute has, each of another kind; the last of them by requests written in
 * other ways.
 */
const kinds = PLAIN_KINDS.slice(WRITTEN_KINDS);
export const together: UserCase[] = kinds.map((kind, index) => {
  const written = anyHeaders[index - (kinds.length - anyHeaders.length)];
  const what = written ? `${kind.what}, ${written.what}` : kind.what;
  return { what, kind, fate: 'must', write: written?.write };
});

const [sharesName, sharesEmail, sharesCapitals] = together as [UserCase, UserCase, UserCase];

/** A second user who shares the email or the name with a first one, as it is or changed. */
export function twin(what: string, first: UserCase, member: keyof NewUser, change = (text: string) => text): TwinCase {
  return { what, first, like: (user) => ({ [member]: () => change(user[member]) }) };
}
const sameName = twin('the same name', sharesName, 'name');
const sameEmails = [
  twin('the same email', sharesEmail, 'email'),
  twin('the same email in upper case', sharesCapitals, 'email', (email) => email.toUpperCase()),
];

// Those who share an email or a name with a first one at the same moment: the service may refuse one of two.
const email: UserKind['email'] = ({ tag, domain }) => `both.${tag.replace(/\d+$/, '')}${domain}`;
const rival = (what: string, place: number) => mayBeRefused(what, { email, name: (own) => firstWord(own, place) });
const firstRival = rival('the first of three users who share an email or a name, created at the same time', 8);
const sameEmail = rival('the second of two users with the same email, created at the same time', 9);
const namesake: UserCase = {
  ...mayBeRefused('the second of two users with the same name, created at the same time'),
  namesakeOf: firstRival.what,
};

/** What came of cases that a thorough run adds to. */
export const createdTogether = drawn(groups.together.creations, ...together);
export const keptTogether = drawn(kept(groups.together), ...together, ...usualUser);
/** The same of users who are created one after the other. */
export const createdInTurn = drawn(groups.together.creations);
export const keptInTurn = drawn(kept(groups.together));
/** The same of plain users who may be there already. */
export const createdOfWords = drawn(groups.together.creations, ...usualUser);
export const keptRivals = kept(groups.rivals)(firstRival, sameEmail);
export const ofOneName = drawn(twinsOf, sameName);
export const ofOneEmail = drawn(twinsOf, ...sameEmails);

const everyCreation = part(({ creations }) => creations);
/** The same until second users are retrieved. */
const allCreations = after(everyCreation, ofOneName, ofOneEmail);

/** A user who can be created alone is not refused otherwise. */
export function isCreatedAsAlone({ one, first: { creation }, again }: Tried<CreateResult, UserCase>): Finding[] {
  const onlyAlone = creation.answered === 'refused' && again?.creation.answered === 'created';
  const got = `${creation.exchange?.response?.status}${one.after ? ` directly after ${one.after}` : ''}, but a user when created alone`;
  return of(one.what, that(!onlyAlone, 'a 2xx status', got, creation.exchange));
}

const statusOf = ({ exchange }: Creation) => exchange?.response?.status ?? 0;

/** Who may be there already is refused as second users are, or not at all. */
export function isRefusedAsThere(tried: Tried<CreateResult>, creations: readonly Creation[]): Finding[] {
  const { one, first, again } = tried;
  if (faultOf(tried, ({ creation }) => creation.answered !== 'refused') !== 'case' || again === undefined)
    return [PASSED];
  // How the service refuses second users of one name or of one email tells how it says that a user is there.
  const known = [sameName, ...sameEmails.slice(0, 1)].map(({ what }) =>
    creations.filter((second) => second.what === what && ['created', 'refused'].includes(second.answered ?? '')),
  );
  const statuses = known.flat().flatMap((second) => (second.answered === 'refused' ? statusOf(second) : []));
  const refusals = [first.creation, again.creation].map(statusOf);
  const isTold = known.every(({ length }) => length > 0) && !refusals.some((status) => statuses.includes(status));
  const isError = refusals.every((status) => isFailure({ status }));
  const got = `${refusals[0]}, twice; a second user with the same name or email gets ${statuses[0] ?? 'a 2xx status'}`;
  return of(one.what, that(!isTold && !isError, 'a 2xx status', got, first.creation.exchange, again.creation.exchange));
}

/** A user who was created together with others is there all the same, or would be if it had been created alone. */
export function isKept(tried: Tried<UserSearch>, isRight: (one: UserSearch) => boolean = isKnown): Finding[] {
  const { one, first, usual = first } = tried;
  // Who is listed, and whose identifier leads to another user, is not lost: that is a matter of its own.
  if (isHidden(usual) || anotherFor(usual)) return [missing(whyUnknown(usual))];
  const isLooked = [first, usual].every(({ read }) => read === undefined || isAnswered(read.exchange));
  const lost = isLooked && faultOf(tried, isRight) === 'data';
  const { creation } = first;
  const { read } = usual;
  const shown = read?.others.length ? `another user, ${read.others.join(', ')}` : 'no such user';
  const got = `${shown}, and the right one when created alone`;
  return of(one.what, that(!lost, `the user ${creation.user.email}`, got, creation.exchange, read?.exchange));
}

/** Identifiers of users who were created at the same time are all different. */
function areDistinct(kept: OrMissing<Tried<UserSearch>>[]): Finding[] {
  const users = present(kept).map(settled).filter(isKnown);
  const texts = users.map(({ identifier }) => identifier.text);
  const twice = users.find(({ identifier }, index) => texts.indexOf(identifier.text) < index);
  const got = `twice ${twice?.identifier.text}`;
  return users.length < 2 ? [] : [that(!twice, 'an identifier for each', got, twice?.creation.exchange)];
}

/**
 * The answer to a creation among others does not show the identifier of another user, where the service shows in the
 * same member of other answers what retrieves the user: whoever asked for one would take the other for it.
 */
function haveTheirOwn(creations: readonly Creation[]): Finding[] {
  const member = identifierMember(creations) ?? '';
  const shown = creations.flatMap((one) => {
    const text = textOf(one.shown?.[member]);
    return text === undefined || member === '' ? [] : [{ one, text }];
  });
  if (shown.filter(({ one, text }) => one.identifier?.text === text).length < 2) return [];
  const wrong = shown.flatMap(({ one, text }, index) => {
    const twice = shown.slice(0, index).find((before) => before.text === text)?.one;
    if (twice && !isAlike(one, twice)) {
      const got = `${member} ${text}, which ${twice.user.email} got as well`;
      return [that(false, `an identifier of its own for ${one.user.email}`, got, twice.exchange, one.exchange)];
    }
    if (!one.inCompany || one.identifier === undefined || one.identifier.text === text) return [];
    const other = creations.find(({ identifier, inCompany }) => inCompany && identifier?.text === text);
    const got = `${member} ${text}, which is that of ${other?.user.email}, who was created concurrently`;
    return other ? [that(false, `the identifier of ${one.user.email}`, got, one.exchange, other.exchange)] : [];
  });
  return wrong.slice(0, 1);
}

/**
 * Whether two creations share an email, or a name and not the moment: the service may take the second for the first.
 */
function isAlike({ user, inCompany }: Creation, { user: other, inCompany: isOtherToo }: Creation): boolean {
  const isLater = !(inCompany && isOtherToo);
  return user.email.toLowerCase() === other.email.toLowerCase() || (isLater && user.name === other.name);
}

/** No user shows an email or a name that was sent for another one: that is no change of what was sent. */
function showTheirOwn(creations: readonly Creation[]): Finding[] {
  const members = ['email', 'name'] as const;
  const all = creations.flatMap((one) => members.map((member) => ({ one, member, sent: one.user[member] })));
  const sentFor = new Map(all.map(({ one, sent }) => [sent, one]));
  return all.flatMap(({ one, member, sent }) => {
    const shown = textOf(one.read?.record?.[member]) ?? '';
    const other = sentFor.get(shown);
    const isOwn = shown.toLowerCase() === sent.toLowerCase();
    // Somebody else may have fewer characters by chance.
    if (isOwn || !other?.exchange || other.user[member] !== shown || !one.read || shown.length < 5) return [];
    const got = `${shown}, which was sent for another user`;
    return [that(false, `the ${member} ${sent}`, got, other.exchange, one.read.exchange)];
  });
}

/** Two users who share a name or an email are both there; where the second is refused, the first is as it was. */
function areTwo(tried: Tried<Twins>): Finding[] {
  const { one } = tried;
  const { first, second, sought, after } = settled(tried);
  const exchanges = [second.creation.exchange, after.exchange];
  const shown = after.others.length > 0 ? after.others : after.record && members(after.record);
  const found = [that(isFine(after), `the first user, ${show(first.creation.user)}`, show(shown), ...exchanges)];
  if (sought === undefined) return of(one.what, found);
  if (isHidden(sought)) return of(one.what, [...found, missing(whyUnknown(sought))]);
  const got = sought.read?.others.length ? show(sought.read.others) : 'no second user';
  const isThere = isKnown(sought) && isFine(sought.read);
  const distinct = sought.identifier?.text !== first.identifier.text;
  return of(one.what, [
    ...found,
    that(isThere, `the second user, ${show(sought.creation.user)}`, got, ...exchanges, sought.read?.exchange),
    that(distinct, 'two identifiers', `twice ${first.identifier.text}`, ...exchanges),
  ]);
}

/** Who was accepted at the same moment as another user with the same email is there, and not that one in its place. */
function isItself(one: Tried<UserSearch>): Finding[] {
  // Another one, created alone, says nothing of these.
  const sought = one.usual ?? one.first;
  const { creation, read } = sought;
  if (isHidden(sought) || (read && !isAnswered(read.exchange))) return [missing(whyUnknown(sought))];
  const shown = read?.record && members(read.record);
  const got = shown ? show(shown) : `${read?.exchange.response?.status ?? 'no identifier'}`;
  const expected = `the user ${show(creation.user)}`;
  return of(one.one.what, that(isKnown(sought), expected, got, creation.exchange, read?.exchange));
}

export const creationsTogether = chapter('Create a user', [
  must('create.concurrent', rule('6.1'), {
    sentence: 'Concurrent creations are all kept, each with an identifier, an email and a name of its own.',
    evidence: {
      ...{ created: createdTogether, kept: keptTogether, creations: allCreations },
      users: orMissingOf(firstUsers),
      written: cases(groups.written.creations, ...writtenCreations),
      later: rewritten.created,
    },
    check: ({ created, kept, creations, users, written, later }) => [
      ...each([...created, ...written, ...later], (tried) =>
        tried.one.optional || tried.one.after ? [] : isCreatedAsAlone(tried),
      ),
      ...each(kept, (tried) => (tried.one.after ? [] : isKept(tried))),
      // The second user of the run, where it was lost among others, and one that was created alone is there.
      ...present([users]).flatMap(({ trial }) => (trial ? isKept(trial, isShown) : [])),
      ...areDistinct(kept),
      ...haveTheirOwn(creations),
      ...showTheirOwn(creations),
    ],
  }),

  must('create.same-name', rule('6.1'), {
    sentence: 'If the service accepts two users with the same name, they remain two users.',
    evidence: { pairs: ofOneName, rivals: kept(groups.rivals)(firstRival, namesake) },
    check: ({ pairs, rivals }) => [...each(pairs, areTwo), ...each(rivals.slice(1), isItself), ...areDistinct(rivals)],
  }),

  must('create.same-email', rule('6.1'), {
    sentence:
      'If the service accepts two users with the same email, they remain two users; if it rejects the second, the first is unchanged.',
    evidence: { pairs: ofOneEmail, rivals: keptRivals },
    check: ({ pairs, rivals }) => [...each(pairs, areTwo), ...each(rivals, isItself), ...areDistinct(rivals)],
  }),
]);
