import { show, textOf } from '../src/http/value.ts';
import { members } from '../src/plan/record.ts';
import { isExpected, isHidden, isKnown } from '../src/plan/seek.ts';
import { hash, settled } from '../src/plan/step.ts';
import { whyUnknown } from '../src/plan/steps/first.ts';
import { groups, kept, type UserCase, type UserTrial } from '../src/plan/steps/users.ts';
import type { Own, UserKind } from '../src/plan/users.ts';
import { each, type Finding, missing, of, that } from '../src/requirement/finding.ts';
import { chapter, drawn, must, ofEach, rfc, rule, should } from './requirement.ts';
import { lines, ofKind } from './words.ts';
import { escaped, inSeveralPackets, withHeaders } from './writings.ts';

/** A user whom the service may refuse, but not change. */
export const mayBeRefused = (what: string, kind: Omit<UserKind, 'what'> = {}, write?: UserCase['write']): UserCase => {
  return { what, fate: 'may', kind: { ...kind, what }, write };
};

type Part = [what: string, text: string | ((own: Own) => string)];

/** Parts of a name, of which each is tried by itself where the service refuses the one user who has them all. */
function joined(parts: Part[], join: (texts: string[], own: Own) => string, how = '', write?: UserCase['write']) {
  const texts = (own: Own) => parts.map(([, text]) => (typeof text === 'string' ? text : text(own)));
  const kinds = parts.map(([what], at): UserKind => ({ what, name: (own) => `${own.name} ${texts(own)[at]}` }));
  return partsOf(kinds, how, write, (own) => join(texts(own), own));
}

/** Users who each have a part of what one user has: what a service makes of one string it makes of it among others. */
function partsOf(parts: UserKind[], how = '', write?: UserCase['write'], name?: UserKind['name']): UserCase[] {
  const kind: UserKind = Object.assign({}, ...parts, name && { name });
  const whole = mayBeRefused(parts.map(({ what }) => what).join(', ') + how, kind, write);
  return parts.map((one) => ({ ...mayBeRefused(one.what, one), whole }));
}

const behindTheName = (texts: string[], own: Own) => `${own.name} ${texts.join(' ')}`;
const inTwoWords = (texts: string[]) => {
  const half = texts.length >> 1;
  return `${texts.slice(0, half).join('')} ${texts.slice(half).join('')}`;
};
const namesOf = (kind: string) => ofKind('unusual-names', kind).map(([what, text]): Part => [what, JSON.parse(text)]);

/** All who have several of these, of whom the parts are. */
const wholesOf = (parts: UserCase[]) => [...new Set(parts.flatMap(({ whole }) => whole ?? []))];

/** Names of one script a line. */
const SCRIPTS = lines('names').map((line) => line.split(' '));

/** Those whose letters have three bytes or more. */
const WIDE_SCRIPTS = SCRIPTS.filter(([name = '']) => Buffer.byteLength(name) >= 3 * [...name].length);

/**
 * How many scripts are tried for one place, and the characters of their names: three of them make a name that is not
 * too long.
 */
const [OF_ONE_PLACE, LENGTH_OF_PLACE] = [8, 28];
/** Bytes of a name that a column for 255 bytes cuts off, though it has fewer than 100 characters. */
const LONG_IN_BYTES = 260;

/** A name of each of some scripts, in each run and for each place of other ones. */
const ofScripts = (place: number) => (own: Own) => {
  const drawn = hash(own.choices);
  const scripts = place === 0 ? SCRIPTS : WIDE_SCRIPTS;
  const names = Array.from({ length: OF_ONE_PLACE }, (_, index) => {
    const all = scripts[(drawn + 13 * place + index) % scripts.length] as string[];
    return all[(drawn + index) % all.length] as string;
  });
  return names.reduce((all, one) => (`${all} ${one}`.length <= LENGTH_OF_PLACE ? `${all} ${one}` : all));
};

const ofSomeScripts = [0, 1, 2].map((place): Part => [`letters of some scripts, ${place + 1}`, ofScripts(place)]);
const longInBytes = (texts: string[]) => {
  const name = texts.join(' ');
  return name + '國'.repeat(Math.max(0, Math.ceil((LONG_IN_BYTES - Buffer.byteLength(name)) / 3)));
};

/**
 * Each kind breaks in another way: a charset, a code page, a case, a font's normalisation, a direction, a plane. All
 * are NFC.
 */
const accents = mayBeRefused('Latin letters with accents', {
  name: ({ word, choices }) => `${LATIN_1} ${BEYOND_LATIN_1[hash(choices) % BEYOND_LATIN_1.length]}${word} René`,
});
const LATIN_1 = 'Éloïse Ñandú Åse Øye Weiß Ðóra Guðrún Þórþr';
/** Who knows Latin-1 alone may refuse what Windows-1252 has more, and other code pages: some runs send none of it. */
const BEYOND_LATIN_1 = ['', 'Šimon Žák Œuvre Ÿ ', '', 'Łucja Őry Čapek Gülşığ '];
/** Nothing but names of one script: what asks whether all letters are of one sort sees it. */
const oneScript = mayBeRefused('names of one script alone', {
  name: ({ choices }) => {
    const usual = SCRIPTS.filter((names) => USUAL_SCRIPTS.test(names.join('')));
    return (usual[hash(choices) % usual.length] as string[]).slice(0, 3).join(' ');
  },
});
const USUAL_SCRIPTS =
  /[\p{Script=Cyrillic}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Greek}\p{Script=Han}\p{Script=Thai}]/u;
const IN_UTF_8 = { 'content-type': 'application/json; charset=UTF-8' };
const beyondAscii = [
  ...joined(namesOf('escaped'), behindTheName, ', escaped in JSON', escaped),
  // Without a Latin letter, and with a mark at the end: what is made of Latin letters alone is empty then. The packets
  // end within letters. A line of curl would repeat it in one packet: the failure says what differs.
  ...joined(namesOf('alone'), inTwoWords, ', sent in several packets', inSeveralPackets),
  ...joined(ofSomeScripts, longInBytes, ', charset=UTF-8', withHeaders(IN_UTF_8)),
];

/**
 * It makes the list longer than 8 KiB, a common size of buffers, and smaller ones end within a letter. Percent-encoded,
 * as an identifier, it is still shorter than what servers take for a path.
 */
const LONG_NAME = '花'.repeat(400) + 'x'.repeat(3400);
const longName = mayBeRefused('3,800 characters', { name: ({ name }) => `${name} ${LONG_NAME}` });
const single = [longName, mayBeRefused('an empty name', { name: () => '' })];

/** Numbers, as YAML and others read them. */
const NUMBERS = ['+#', '#', '-#', '.#', '#.0'];
const number = ({ choices, digits }: Own) => (NUMBERS[hash(choices) % NUMBERS.length] as string).replace('#', digits);
const withFurtherMembers: UserCase['write'] = ({ body = '', ...request }) => {
  const further = '"constructor":{"prototype":{"x":1}},"__proto__":{"x":1},"toString":"x",';
  return { ...request, body: body.replace('{', `{${further}`) };
};
const others = [
  ...joined(namesOf('punctuation'), behindTheName),
  ...joined(namesOf('signs'), behindTheName),
  ...partsOf([
    { what: 'an email with a +tag', email: ({ local, domain }) => `${local}+tag${domain}` },
    { what: 'inner and outer spaces', name: ({ name }) => `  ${name.replace(' ', '   ')}  ` },
  ]),
  ...partsOf(
    [
      { what: 'an email with capital letters', email: ({ tag, domain }) => `Ada.${tag}${domain}` },
      { what: 'a name that reads like a number', name: number },
    ],
    ', further members',
    withFurtherMembers,
  ),
];

/** All users with such strings, but for those who have a part; and what came of them. */
export const unusual = [accents, oneScript, ...single, ...wholesOf([...beyondAscii, ...others])];
export const keptUnusual = kept(groups.unusual)(...unusual);

/** Each of these, where the service accepts it, comes back unchanged; an email's case may be folded. */
function comesBack(one: UserTrial): Finding[] {
  const sought = settled(one);
  const { creation, read } = sought;
  const exchanges = [creation.exchange, read?.exchange];
  const isListed = !isExpected(sought) && sought.look?.ours.has(creation);
  const isThere = isKnown(sought) || isListed || (read?.ok && !read.unreadable);
  if (isHidden(sought) || !isThere) return [missing(whyUnknown(sought))];
  const shown = read?.record && members(read.record);
  const same = shown?.name === creation.user.name;
  const folded = textOf(shown?.email)?.toLowerCase() === creation.user.email.toLowerCase();
  return of(one.one.what, [
    that(same, `the name ${show(creation.user.name)}`, show(shown?.name), ...exchanges),
    that(folded, `the email ${show(creation.user.email)}`, show(shown?.email), ...exchanges),
  ]);
}

/** Whether a name is words of letters, with some outside ASCII among them. */
function isOfLetters({ first: { creation } }: UserTrial): boolean {
  const { name } = creation.user;
  return /^\p{L}+( \p{L}+)*$/u.test(name) && /[^ -~]/.test(name) && name.normalize('NFC') === name;
}

/** Whether no more is wrong with a name than that its end is missing: it may be too long. */
function isCutShort(one: UserTrial): boolean {
  const { creation, read } = settled(one);
  const shown = textOf(read?.record?.name) ?? '';
  return creation.user.name.startsWith(shown.replace(/\ufffd+$/, ''));
}

/** What came of users who have all of it, to whom a thorough run adds; and of those who have a part. */
export const usersWithLetters = drawn(kept(groups.unusual), accents, oneScript, ...wholesOf(beyondAscii));
export const usersWithOthers = drawn(kept(groups.unusual), ...single, ...wholesOf(others));
/** Long names, of which a service may keep the beginning alone: it is letters that must not be changed. */
export const longNames = drawn(kept(groups.unusual));
export const allParts = kept(groups.parted)(...beyondAscii, ...others);

export const roundTrip = chapter('Round trip', [
  must('round-trip.letters-beyond-ascii', rule('4.1'), {
    sentence: 'An accepted name with letters outside ASCII comes back unchanged.',
    evidence: { users: usersWithLetters, parts: kept(groups.parted)(...beyondAscii), long: longNames },
    check: ({ users, parts, long }) => [
      ...each([...users, ...parts], comesBack),
      ...each(long, (one) => (isOfLetters(one) && !isCutShort(one) ? comesBack(one) : [])),
    ],
  }),

  should('round-trip.other-strings', rfc(8259, '8.3'), {
    sentence: 'Every other string that was accepted as a name or email comes back unchanged.',
    ...ofEach({ users: usersWithOthers, parts: kept(groups.parted)(...others) }, comesBack),
  }),
]);
