import type { CaseResult, History } from '../src/history/history.ts';
import { lastListed } from '../src/history/list.ts';
import { members } from '../src/history/record.ts';
import { show, textOf } from '../src/http/value.ts';
import {
  asUsual,
  type Case,
  type Change,
  CREATE,
  repeated,
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
export const unusual = (name: string, user: UserKind, change: Change = asUsual): Case => ({
  name,
  operation: CREATE,
  phase: 'valid',
  expected: 'either',
  user,
  change,
});

/** A plain name followed by a text. */
const afterName = (name: string, text: string, change?: Change): Case =>
  unusual(name, { name: (own) => `${own.name} ${text}` }, change);

/**
 * Letters of Latin-1. A service with a single code page may reject others, so they have users of
 * their own.
 */
const LATIN = 'Éloïse Ñandú Åse Øye Weiß Ðóra Guðrún Þórþr';

/**
 * Joins the shortest name of each script, as long as the text has no more than so many characters.
 */
function joinShortest(scripts: readonly string[][], characters: number): string {
  let text = '';
  for (const names of scripts) {
    const longer = text === '' ? shortest(names) : `${text} ${shortest(names)}`;
    if (longer.length <= characters) text = longer;
  }
  return text;
}

const shortest = (names: readonly string[]): string =>
  names.reduce((before, name) => (name.length < before.length ? name : before));

/** Scripts whose characters mostly take three bytes in UTF-8. */
const WIDE_SCRIPTS = SCRIPTS.filter((names) => {
  const text = names.join('');
  return Buffer.byteLength(text) >= 2.5 * text.length;
});

/**
 * More bytes than a column for 255 bytes holds, although the name has fewer than 100 characters.
 */
const LONG_IN_BYTES = 260;

/** Lengthens a name by characters of three bytes. */
function longInBytes(name: string): string {
  const missing = Math.max(0, LONG_IN_BYTES - Buffer.byteLength(name));
  return name + '國'.repeat(Math.ceil(missing / 3));
}

const IN_UTF_8 = withHeaders({ 'content-type': MEDIA_TYPE_WITH_CHARSET });

/**
 * Names with letters outside ASCII. Each case shows another fault: of the charset, the code page,
 * the case, normalization, direction, or characters outside the BMP.
 */
export const letters: Case[] = [
  unusual('Latin letters with accents', { name: ({ word }) => `${LATIN} ${word} René` }),
  unusual('letters of Windows-1252, Central Europe and Turkey', {
    name: ({ word }) => `Šimon Žák Œuvre Ÿ Łucja Őry Čapek Gülşığ ${word}`,
  }),
  // A service may require letters of a single script, or Latin letters.
  unusual('Hangul alone', { name: () => '가나 김철수' }),
  afterName(
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
  afterName('compatibility letters, charset=UTF-8', 'ﬁＡＢﾊﾅㄱﻻﬡ', IN_UTF_8),
  unusual(
    'letters of many scripts, longer than 255 bytes',
    { name: ({ word }) => longInBytes(`${word} ${joinShortest(WIDE_SCRIPTS, 85)}`) },
    IN_UTF_8,
  ),
];

/** Adds members with names that have a meaning in JavaScript. */
const withFurtherMembers: Change = (usual) => {
  const members = '"constructor":{"prototype":{"x":1}},"__proto__":{"x":1},"toString":"x",';
  return { ...usual, body: (usual.body ?? '').replace('{', `{${members}`) };
};

/**
 * A name that makes the list longer than 8 KiB, a common size of buffers; smaller buffers end
 * within a letter. If it is the identifier, its percent-encoded form is still short enough for a
 * path.
 */
const LONG_NAME = '花'.repeat(400) + 'x'.repeat(3400);

/** A name that a database or a serializer may convert to a number, a boolean or null. */
const convertible = (text: string): Case => unusual(`the name ${text}`, { name: () => text });

const withLongEmail = (text: string, characters: number): Case =>
  unusual(`the name ${text}, and an email of ${characters} characters`, {
    email: ({ tag, domain }) =>
      `${tag.padStart(characters - domain.length, 'abcdefghij')}${domain}`,
    name: () => text,
  });

/** The repeated ones are values that a column of a database may not hold. */
export const otherStrings: Case[] = [
  convertible('007'),
  convertible('-1.50'),
  // The local part has 64 characters, the most that it may have (RFC 5321 section 4.5.3.1.1).
  withLongEmail('1e5', 76),
  convertible('true'),
  withLongEmail('null', 200),
  unusual(
    'the name 2024-01-31T12:12:12Z, and a space before the parameter of the media type',
    { name: () => '2024-01-31T12:12:12Z' },
    withHeaders({ 'content-type': MEDIA_TYPE_WITH_SPACE }),
  ),
  repeated(unusual('a name of 3,800 characters', { name: ({ name }) => `${name} ${LONG_NAME}` })),
  unusual('an empty name', { name: () => '' }),
  afterName(
    'quotes, a backslash, SQL and template characters',
    "O'Brien ‘Bob’ \"Bob\" \\ \\n '; -- {{7*7}} ${7*7} $' $` $& $1 %s",
  ),
  repeated(afterName('a NUL', 'a\u0000b')),
  afterName('markup', '<b>Bob</b> &amp; <script>'),
  afterName('emoji, a percent-encoded text, and a backslash at the end', '👩‍💻 🎉 %41%20 \\'),
  afterName(
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
    withFurtherMembers,
  ),
];

/**
 * Expects that an accepted user is shown as it was sent. A service may change the case of the
 * email.
 */
function expectSame(result: CaseResult, history: History): Finding | Finding[] {
  const { exchange, creation, read } = result;
  if (creation === undefined || creation.response === 'unknown') return whyOpen(exchange);
  if (creation.response === 'rejected') {
    const status = statusOf(exchange);
    if (status >= 500) return notApplicable(`the service fails (${status})`);
    return notApplicable(`the service rejects it (${status})`);
  }
  const unproven = whyUnproven(history);
  if (unproven) return unproven;
  const { user } = creation;
  const listed = lastListed(history.lists, creation);
  const shownBy = read?.record ? read.exchange : listed?.list.exchange;
  const record = read?.record ?? listed?.item;
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
