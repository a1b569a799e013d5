import { hash, someOf } from '../src/plan/step.ts';
import { capitalised, type Own, type UserKind } from '../src/plan/users.ts';
import { named, words } from './words.ts';

const LETTERS = 'qazwsxedcrfvtgbyhnujmikolp';
const letters = (count: number) => LETTERS.repeat(3).slice(0, Math.max(1, count));
const random = (from: string, count = 1) =>
  Array.from({ length: count }, () => from[Math.floor(Math.random() * from.length)]).join('');

/** Characters of a plain address and a plain name, at most. */
const [ADDRESS, NAME] = [64, 40];

/** Characters of the longest body of a plain user, which every service accepts. */
export const LONGEST_BODY = JSON.stringify({ email: '', name: '' }).length + ADDRESS + NAME;

/**
 * Words that loaders, queries, filters, shells and spreadsheets take for something else, by class; in a name or an
 * address they are plain. NUMBERS only in an address.
 */
export const PLAIN_WORDS = named('plain-words').map(([, line]) => line.split(' '));
export const PLAIN_NUMBERS = words('plain-numbers');

/** One of these for each place, in each run another one. */
function chosen(from: readonly string[], { choices }: Own, place: number): string {
  const drawn = hash(`${choices} ${place}`);
  // Those that stand first are as likely as all others together.
  const some = drawn % 2 === 0 ? from.slice(0, 6) : from;
  return some[(drawn >> 1) % some.length] as string;
}

const word = (own: Own, place: number) => chosen(PLAIN_WORDS[place % PLAIN_WORDS.length] as string[], own, place);

/** A length for each place, in each run another one: with `step`, places have all of them in turn. */
const lengthAt = ({ choices }: Own, place: number, least: number, most: number, step: number) =>
  least + ((hash(choices) + step * place) % (most - least + 1));

/**
 * Letters that lengthen a text: words in a row, which a filter may find within others, and at each place another letter
 * at the end.
 */
const filling = (own: Own, count: number, place: number) => {
  let text = '';
  for (let at = 3 * place; text.length < count; at += 1) text += word(own, at).toLowerCase();
  return count < 1 ? '' : text.slice(0, count - 1) + ENDS.charAt((7 * place) % ENDS.length);
};
const ENDS = 'xsznthrlmdkcgqvwjbfpaeiouy';

/** Digits of the numbers of users, at most. */
const DIGITS_OF_NUMBER = 3;

/** An address of some length: it begins with a word of a class, and has as many of others as there is room for. */
function address(own: Own, place: number): string {
  const end = `.${own.tag}${own.domain}`;
  const length = lengthAt(own, place, 40, ADDRESS - 1, 5);
  // The same words where the user is made again, with a longer number.
  const room = length - end.length + own.tag.replace(/\D/g, '').length - DIGITS_OF_NUMBER;
  // Of classes far from each other; of one that other addresses have as well another word.
  const another = PLAIN_WORDS.length * place;
  const [first = '', ...more] = [0, 8, 3, 13, 5, 10].map((next) => word(own, another + place + next).toLowerCase());
  const local = more.reduce((all, one) => (`${all}.${one}`.length <= room ? `${all}.${one}` : all), first);
  return local + filling(own, length - end.length - local.length, place) + end;
}

type Part = (own: Own, place: number, length?: number) => string;

/**
 * A name of some length: a word of a class, and another one. Names of places in a row have words of classes in a row,
 * in each run of others.
 */
export const firstWord: Part = (own, place, length = lengthAt(own, place, 16, NAME, 7)) => {
  const one = capitalised(word(own, place + (hash(own.choices) % PLAIN_WORDS.length)));
  return `${one} ${own.word}${filling(own, length - own.word.length - one.length - 1, place)}`;
};
export const lastWord: Part = (...of) => firstWord(...of).replace(/^(\w+) (\w+)$/, '$2 $1');

/**
 * An address of 64 characters, of which two users of the run have all but the last few: a column, or an index, that
 * holds fewer takes them for one.
 */
function longestAddress({ tag, domain }: Own): string {
  const end = `.${tag.replace(/\d+$/, (number) => number.padStart(DIGITS_OF_NUMBER, '0'))}${domain}`;
  return letters(ADDRESS - end.length) + end;
}

/** A name that makes a body of so many bytes: the size of a block, at whose end a reader may stop. */
function nameForBlock({ tag, domain, word }: Own, bytes: number): string {
  const name = `${word} `;
  return name + letters(bytes - JSON.stringify({ email: `${tag}2024${domain}`, name }).length);
}

/** What a word in braces stands for in a list of plain users, with the numbers behind it. Others are the user's own. */
const PARTS: Record<string, Part> = {
  ...{ address, firstWord, lastWord, longestAddress, nameForBlock },
  plainWord: word,
  number: (own, place) => chosen(PLAIN_NUMBERS, own, place),
  numeral: (own, place) => chosen(['1e', '9', '0x', '9'], own, place),
  letter: (own, place) => chosen([...ENDS], own, place),
  longestName: ({ word }) => `${word} Geee${letters(NAME - 5 - word.length)}`,
  // Another user of the run has it as well.
  surname: ({ tag }) => capitalised(tag.replace(/\d+$/, '')),
  // Letters that make no word, of which a filter might know it; as many as hardly come again in a thousand runs.
  noWord: () => capitalised(random('bfghjklnqtvxz', 4)),
  anyLetter: () => random(LETTERS),
  anyDigit: () => random('0123456789'),
};

/** Such as `{upper firstWord 4}@example.com`, written for a user. */
const written = (template: string, own: Own) =>
  template.replace(/{(upper |lower )?(\w+) ?(\d*) ?(\d*)}/g, (_, letters, part, place, length) => {
    const make = PARTS[part] ?? (() => own[part as keyof Own]);
    const text = make(own, Number(place), length === '' ? undefined : Number(length));
    if (letters === 'upper ') return text.toUpperCase();
    return letters === 'lower ' ? text.toLowerCase() : text;
  });

const kindsOf = (list: string): UserKind[] =>
  named(list).map(([what, user]) => {
    const [email = '', name = ''] = user.split(' | ');
    return { what, email: (own) => written(email, own), name: (own) => written(name, own) };
  });

/**
 * Plain users in their whole width, for the users that a run creates anyway: an address of lower-case letters, digits
 * and dots, a name of two words of ASCII letters. No service may refuse one of them, or change it.
 */
export const PLAIN_KINDS = kindsOf('plain-users');

/** Kinds for users who are created one after another, and only listed. */
export const LISTED_KINDS = kindsOf('listed-users');

/** How many of them are created by requests in other writings; the others are created at the same time. */
export const WRITTEN_KINDS = 5;

/** A plain user whom an earlier run, or somebody else, may have created as well. */
const mayBeThere = (what: string, kind: Omit<UserKind, 'what'>) => {
  return { what, fate: 'may' as const, mayBeThere: true as const, kind: { what, ...kind } };
};
/** One with an address that is not the run's own. */
export const withAddress = (local: string, name?: UserKind['name']) =>
  mayBeThere(`${local} before the at sign`, { email: ({ domain }) => local + domain, ...(name && { name }) });
/** One with a name that is not the run's own. */
export const withName = (name: string) => mayBeThere(`the name ${name}`, { name: () => name });
/** In each run one of them. */
export const usualUser = someOf(
  named('usual-users').map(([member, text]) => (member === 'address' ? withAddress(text) : withName(text))),
);
