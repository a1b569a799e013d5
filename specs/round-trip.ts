import type { CaseResult, History } from '../src/history/history.ts';
import { itemsOf } from '../src/history/list.ts';
import { members } from '../src/history/record.ts';
import { show, textOf } from '../src/http/value.ts';
import {
  asUsual,
  type Case,
  type Change,
  CREATE,
  inTurn,
  type OwnParts,
  type UserKind,
  withHeaders,
} from '../src/requirement/case.ts';
import { type Finding, notApplicable, notVerified, verify } from '../src/requirement/finding.ts';
import { statusOf, whyOpen } from './expectations.ts';
import { whyUnproven } from './first-users.ts';
import { MEDIA_TYPE_WITH_CHARSET, MEDIA_TYPE_WITH_SPACE } from './media-types.ts';
import { chapter, must, rfc, rule, should } from './requirement.ts';
import { SCRIPTS } from './scripts.ts';
import { escaped, inSeveralPackets } from './writings.ts';

/** A user whom the service may reject, but not change. */
const unusual = (name: string, user: UserKind, change: Change = asUsual): Case => ({
  name,
  operation: CREATE,
  phase: 'valid',
  expected: 'either',
  user,
  change,
});

/** A text behind a plain name. */
const behindName = (name: string, text: string, change?: Change): Case =>
  unusual(name, { name: (own) => `${own.name} ${text}` }, change);

/** Letters and digits of the run's own, as one word. */
const ownWord = ({ word }: OwnParts) => word;

/** A service that knows one code page alone may reject what others have: each has a user of its own. */
const LATIN = 'Éloïse Ñandú Åse Øye Weiß Ðóra Guðrún Þórþr';

/** The shortest name of each script, of as many scripts as a name of so many characters takes. */
function namesOf(scripts: readonly string[][], characters: number): string {
  const names = scripts.map((all) =>
    all.reduce((one, other) => (other.length < one.length ? other : one)),
  );
  return names.reduce((all, name) =>
    `${all} ${name}`.length <= characters ? `${all} ${name}` : all,
  );
}

const isWide = (names: readonly string[]) =>
  Buffer.byteLength(names.join('')) >= 2.5 * names.join('').length;
const WIDE = SCRIPTS.filter(isWide);

/** Bytes of a name that a column for 255 bytes cuts off, though it has fewer than 100 characters. */
const LONG_IN_BYTES = 260;
const longInBytes = (name: string) =>
  name + '國'.repeat(Math.max(0, Math.ceil((LONG_IN_BYTES - Buffer.byteLength(name)) / 3)));

const IN_UTF_8 = withHeaders({ 'content-type': MEDIA_TYPE_WITH_CHARSET });

/**
 * Letters outside ASCII. Each case breaks in another way: a charset, a code page, a case, a font's normalization, a
 * direction, a plane.
 */
export const letters: Case[] = [
  unusual('Latin letters with accents', { name: (own) => `${LATIN} ${ownWord(own)} René` }),
  unusual('letters of Windows-1252, Central Europe and Turkey', {
    name: (own) => `Šimon Žák Œuvre Ÿ Łucja Őry Čapek Gülşığ ${ownWord(own)}`,
  }),
  // A service may ask whether all letters are of one script, or know Latin letters alone.
  unusual('Hangul alone', { name: () => '가나 김철수' }),
  behindName(
    'letters beyond Latin-1, Greek, Cyrillic, Georgian, Armenian, Hebrew and Arabic letters, and one outside the BMP, escaped in JSON',
    'Şıİ ẞ Việt Ğğ Đđ Ελένης Семён ქეთი Արամ שרה أمينة کریمی 𠮷',
    escaped,
  ),
  // The packets end within letters, and the name ends with a combining mark.
  unusual(
    'Chinese, Japanese and Korean characters, characters outside the BMP, and letters with combining marks, in several packets',
    { name: () => '陳國龍山田さくらタナカ김철수 𠮷𪚥野家𐐨प्रियाดี่' },
    inSeveralPackets,
  ),
  behindName('compatibility letters, charset=UTF-8', 'ﬁＡＢﾊﾅㄱﻻﬡ', IN_UTF_8),
  unusual(
    'letters of many scripts, longer than 255 bytes',
    { name: (own) => longInBytes(`${ownWord(own)} ${namesOf(WIDE, 85)}`) },
    IN_UTF_8,
  ),
];

/** Members of a body that have a meaning in JavaScript. */
const withFurtherMembers: Change = (usual) => {
  const further = '"constructor":{"prototype":{"x":1}},"__proto__":{"x":1},"toString":"x",';
  return { ...usual, body: (usual.body ?? '').replace('{', `{${further}`) };
};

/**
 * It makes the list longer than 8 KiB, a common size of buffers, and smaller ones end within a letter. Percent-encoded,
 * as an identifier, it is still shorter than what servers take for a path.
 */
const LONG_NAME = '花'.repeat(400) + 'x'.repeat(3400);

/**
 * Names that a store may take for a number, a boolean or null, and characters of the email: a usual length, the longest
 * local part (RFC 5321 section 4.5.3.1.1), or more than that.
 */
const LIKE_OTHER_TYPES: [name: string, characters?: number][] = [
  ['007'],
  ['-1.50'],
  ['1e5', 76],
  ['true'],
  ['null', 200],
];

const longEmail = ({ tag, domain }: OwnParts, characters: number) =>
  `${tag.padStart(characters - domain.length, 'abcdefghij')}${domain}`;

function likeOtherType(text: string, characters?: number): Case {
  if (characters === undefined) return unusual(`the name ${text}`, { name: () => text });
  return unusual(`the name ${text}, and an email of ${characters} characters`, {
    email: (own) => longEmail(own, characters),
    name: () => text,
  });
}

export const otherStrings: Case[] = [
  ...LIKE_OTHER_TYPES.map(([text, characters]) => likeOtherType(text, characters)),
  unusual(
    'the name 2024-01-31T12:12:12Z, and a space before the parameter of the media type',
    { name: () => '2024-01-31T12:12:12Z' },
    withHeaders({ 'content-type': MEDIA_TYPE_WITH_SPACE }),
  ),
  unusual('a name of 3,800 characters', { name: ({ name }) => `${name} ${LONG_NAME}` }),
  unusual('an empty name', { name: () => '' }),
  behindName(
    'quotes, a backslash, SQL and template characters',
    "O'Brien ‘Bob’ \"Bob\" \\ \\n '; -- {{7*7}} ${7*7} $' $` $& $1 %s",
  ),
  behindName('a NUL', 'a\u0000b'),
  behindName('markup', '<b>Bob</b> &amp; <script>'),
  behindName('emoji, a percent-encoded text, and a backslash at the end', '👩‍💻 🎉 %41%20 \\'),
  behindName(
    'control characters, direction controls and line breaks',
    'a\tb\u001fc\u00a0d \u202eBob\u202c \u200fשרה\u200e\r\nnext\nlast a\u2028b',
  ),
  unusual('an email with a +tag, and a name with inner and outer spaces', {
    email: ({ local, domain }) => `${local}+tag${domain}`,
    name: ({ name }) => `  ${name.replace(' ', '   ')}  `,
  }),
  unusual(
    'an email with capital letters, a name that reads like a number, and further members',
    {
      email: ({ tag, domain }) => `Ada.${tag}${domain}`,
      name: ({ digits }) => `+${digits}`,
    },
    inTurn(withFurtherMembers),
  ),
];

/** Expects that an accepted user is retrieved as it was sent; the case of an email may be folded. */
function expectSame(result: CaseResult, history: History): Finding | Finding[] {
  const { exchange, creation: index = -1, read } = result;
  const creation = history.creations[index];
  if (creation === undefined || creation.response === 'unknown') return whyOpen(exchange);
  if (creation.response === 'rejected') {
    const isError = statusOf(exchange) >= 500;
    return isError
      ? notApplicable(`the service fails (${statusOf(exchange)})`)
      : notApplicable(`the service rejects it (${statusOf(exchange)})`);
  }
  const unproven = whyUnproven(history);
  if (unproven) return unproven;
  const { user } = creation;
  const list = history.lists.findLast((one) => itemsOf(one, index).length > 0);
  const item = list && itemsOf(list, index)[0];
  const shownBy = read?.record ? read.exchange : list?.exchange;
  const record = read?.record ?? item;
  if (read && read.others.length > 0)
    return notVerified('the identifier retrieves another user', read.exchange);
  if (read?.ok && !read.isUnreadable && record === undefined) {
    return verify(false, `the name ${show(user.name)}`, show(undefined), exchange, read.exchange);
  }
  if (record === undefined)
    return notVerified('the user could not be retrieved', exchange, read?.exchange);
  const { email, name } = members(record);
  const isSameEmail = textOf(email)?.toLowerCase() === user.email.toLowerCase();
  return [
    verify(name === user.name, `the name ${show(user.name)}`, show(name), exchange, shownBy),
    verify(isSameEmail, `the email ${show(user.email)}`, show(email), exchange, shownBy),
  ];
}

export const roundTrip = chapter('Round trip', [
  must('round-trip.letters-beyond-ascii', rule('4.1'), {
    sentence: 'An accepted name with letters outside ASCII comes back unchanged.',
    cases: letters,
    expect: expectSame,
  }),

  should('round-trip.other-strings', rfc(8259, '8.3'), {
    sentence: 'Every other string that was accepted as a name or email comes back unchanged.',
    cases: otherStrings,
    expect: expectSame,
  }),
]);
