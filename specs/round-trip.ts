import { show, textOf } from '../src/http/value.ts';
import type { Found } from '../src/plan/evidence.ts';
import { members } from '../src/plan/record.ts';
import { isHidden, isKnown } from '../src/plan/seek.ts';
import { whyUnknown } from '../src/plan/steps/first.ts';
import { type Kept, kept, settled, type UserCase, unusualUsers } from '../src/plan/steps/users.ts';
import type { UserKind } from '../src/plan/users.ts';
import { type Finding, of, that } from '../src/requirement/finding.ts';
import { each, missing } from '../src/requirement/judge.ts';
import { chapter, must, rfc, should } from '../src/requirement/requirement.ts';
import { rule } from './interface.ts';

/** A value that a service may refuse, but not change. */
const name = (what: string, make: NonNullable<UserKind['name']>): UserCase => {
  return { what, fate: 'may', kind: { what, name: make } };
};
const email = (what: string, make: NonNullable<UserKind['email']>): UserCase => {
  return { what, fate: 'may', kind: { what, email: make } };
};

/** Each kind breaks in another way: a charset, a code page, a font's normalisation, a direction, a plane. All are NFC. */
const beyondAscii = [
  name('Latin letters with accents', (own) => `Zoë Ñandú ${own.name}`),
  name('letters beyond Latin-1', (own) => `Łucja Őry Ştefan ${own.name}`),
  name('Greek and Cyrillic letters', (own) => `Ελένη Жанна ${own.name}`),
  name('Chinese and Japanese characters', (own) => `山田さくら ${own.name}`),
  name('characters beyond the first plane', (own) => `𠮷野家 ${own.name}`),
  name('Hebrew and Arabic letters', (own) => `שרה عمر ${own.name}`),
  name('compatibility letters', (own) => `ﬁona ＡＢ ${own.name}`),
];

const others = [
  name('emoji', (own) => `👩‍💻 ${own.name} 🎉`),
  name(
    'quotes, a backslash, SQL and template characters',
    (own) => `O'Brien "Bob" \\ '; -- ${own.name} {{7*7}} \${7*7} %s`,
  ),
  name('markup', (own) => `<b>${own.name}</b> &amp; <script>`),
  name('text with direction controls and a line break', (own) => `\u202e${own.name}\u202c \u200fשרה\u200e\nnext`),
  name('inner and outer spaces', (own) => `  ${own.name.replace(' ', '   ')}  `),
  name('1,000 characters', (own) => `${own.name} ${'x'.repeat(999 - own.name.length)}`),
  name('digits and signs alone', (own) => `+${own.digits}`),
  name('an empty name', () => ''),
  email('an email with a tag', (own) => `${own.local}+tag${own.domain}`),
  email('an email with capital letters', (own) => `Conformance.${own.tag}${own.domain}`),
];

/** Each of these, where the service accepts it, comes back unchanged; an email's case may be folded. */
function comesBack(one: Kept): Finding[] {
  const sought = settled(one);
  const { creation, read } = sought;
  const exchanges = [creation.exchange, read?.exchange].filter((exchange) => exchange !== undefined);
  if (isHidden(sought) || (!isKnown(sought) && read?.ok && read.unreadable)) return [missing(whyUnknown(sought))];
  const shown = read?.record && members(read.record);
  const same = shown?.name === creation.user.name;
  const folded = textOf(shown?.email)?.toLowerCase() === creation.user.email.toLowerCase();
  return of(one.one.what, [
    that(same, `the name ${show(creation.user.name)}`, show(shown?.name), ...exchanges),
    that(folded, `the email ${show(creation.user.email)}`, show(shown?.email), ...exchanges),
  ]);
}

const comeBack = { check: ({ users }: { users: Found<Kept>[] }) => each(users, comesBack) };

export const roundTrip = chapter('Round trip', [
  must('round-trip.letters-beyond-ascii', {
    source: rule('4.1'),
    sentence: 'A name with letters outside ASCII that the service accepted comes back unchanged.',
    evidence: { users: kept(unusualUsers, ...beyondAscii) },
    ...comeBack,
  }),

  should('round-trip.other-strings', {
    source: rfc(8259, '8.3'),
    sentence: 'Every other string that the service accepted as a name or email comes back unchanged.',
    evidence: { users: kept(unusualUsers, ...others) },
    ...comeBack,
  }),
]);
