import fc, { type Arbitrary } from 'fast-check';
import { topic } from '../../src/conduct/topic.ts';
import { type TwinCase, twinsOf } from '../../src/plan/steps/twins.ts';
import { created, kept, type UserCase, usersTogether } from '../../src/plan/steps/users.ts';
import type { Own, UserKind } from '../../src/plan/users.ts';
import { inTurn, rowOf, sideBySide, taker, words } from './drawn.ts';

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const letters = (alphabet: string, constraints: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...alphabet), ...constraints });
const SMALL = 'abcdefghijklmnopqrstuvwxyz';

/** Words that loaders, queries, filters and templates take for something else; as a part of a name they are plain. */
const COMMON = words(`
  null nil none nan inf infinity undefined true false yes no on off na n e
  select drop insert update delete union where script admin root test system
  jr dr mr mrs prof iii van de con nul now`);
const OTHERS = words(`
  void y t f and or exec table guest support constructor prototype sr ms sir ii iv von la mac mc aux prn may id
  x empty blank unknown nothing deleted not like in is between exists from into values alter create
  having group order by limit join grant sleep waitfor truncate declare cast char begin end set
  anonymous default administrator superuser operator postmaster webmaster noreply user users
  object array string number function return class import eval window document this self new
  alert onload onerror img iframe style svg href javascript http https www com localhost php cmd
  miss lady lord dame rev hon phd md esq vi st le di da del der den el al bin ibn ben fitz saint
  lpt date today june april august jan sunday ids email mail name data key value
  dick cox sex hell spam casino dead
  api token bearer auth password secret login logout me all count search list first last page`);
const WORDS = [...COMMON, ...COMMON, ...OTHERS];

/** Plain names and addresses: what every service must take as it is (at most 40 and 64 characters). */
const [NAME, ADDRESS] = [40, 64];

type Part = (own: Own) => string;
const writings = { small: (word: string) => word, Capital: capitalised, ALL: (word: string) => word.toUpperCase() };

const NAMES = [
  'common',
  'other',
  'common',
  'length',
  'common',
  'letters',
  'common',
  'other',
  'length',
  'prefix',
  'common',
];

/** Names: most with a word, others with letters at random, with a prefix, or of every length up to the longest. */
const names: Arbitrary<Part[]> = fc
  .tuple(
    inTurn(NAMES),
    inTurn(COMMON).map(taker),
    inTurn(OTHERS).map(taker),
    inTurn([writings.Capital, writings.small, writings.Capital, writings.ALL]).map(taker),
    inTurn([true, true, true, true, false]).map(taker),
    rowOf(letters(SMALL + SMALL.toUpperCase(), { minLength: 1, maxLength: 24 })).map(taker),
    inTurn(Array.from({ length: NAME - 14 }, (_, index) => 15 + index)).map(taker),
    inTurn(words('Mac Mc O De Van Le')).map(taker),
  )
  .map(([kinds, common, other, writing, isFirst, random, length, prefix]) =>
    kinds.map((kind): Part => {
      if (kind === 'length') {
        const exact = length();
        return ({ word }) => `${word} ${capitalised((SMALL + SMALL).slice(0, Math.max(1, exact - word.length - 1)))}`;
      }
      const write = writing();
      const word =
        kind === 'letters'
          ? random()
          : kind === 'prefix'
            ? prefix() + capitalised(other()).slice(0, 18)
            : write(kind === 'common' ? common() : other());
      return isFirst() ? (own) => `${word} ${own.word}` : (own) => `${own.word} ${word}`;
    }),
  );

const NUMBERS = words(
  `0 00 007 1e5 0x1f 1e400 9007199254740993 18446744073709551616 1e3 5e2 2e10 3.14 2024 1.0 0b11 0o17 123 00.1`,
);
const LOCALS = [
  'words',
  'number',
  'words',
  'words',
  'length',
  'words',
  'words',
  'words',
  'initials',
  'number',
  'random',
];

/** Addresses: of some words, of what looks like a number, of letters and digits at random, of initials, of every length. */
const locals: Arbitrary<Part[]> = fc
  .tuple(
    inTurn([...LOCALS, 'length', ...LOCALS, 'digits', ...LOCALS, 'joined']),
    sideBySide(inTurn(COMMON), inTurn(WORDS), inTurn(OTHERS), inTurn(COMMON), inTurn(OTHERS)).map(taker),
    inTurn(NUMBERS).map(taker),
    rowOf(letters(`${SMALL}0123456789`, { minLength: 1, maxLength: 20 })).map(taker),
    rowOf(fc.array(fc.constantFrom(...SMALL), { minLength: 3, maxLength: 12 })).map(taker),
    inTurn(Array.from({ length: ADDRESS - 29 }, (_, index) => 30 + index)).map(taker),
    inTurn([true, true, true, true, true, false]).map(taker),
  )
  .map(([kinds, some, number, random, initials, length, isFirst]) =>
    kinds.map((kind): Part => {
      if (kind === 'digits') return ({ digits }) => digits;
      if (kind === 'joined') return ({ tag }) => tag.replaceAll('.', '');
      if (kind === 'random') return behind(random());
      if (kind === 'length') {
        const exact = length();
        return ({ tag, domain }) => {
          const left = exact - tag.length - domain.length - 1;
          return left > 0 ? `${(SMALL + SMALL).slice(0, left)}.${tag}` : tag;
        };
      }
      const around = isFirst() ? behind : before;
      if (kind === 'number') return around(number());
      if (kind === 'initials') return around(initials().join('.'));
      const all = some();
      return (own) => around(asManyAsFit(all, ADDRESS - own.tag.length - own.domain.length - 1))(own);
    }),
  );

function behind(text: string): Part {
  return ({ tag }) => `${text}.${tag}`;
}

function before(text: string): Part {
  return ({ tag }) => `${tag}.${text}`;
}

function asManyAsFit([first = '', ...more]: string[], room: number): string {
  return more.reduce((all, word) => (all.length + word.length < room ? `${all}.${word}` : all), first);
}

const plain: Arbitrary<UserCase[]> = sideBySide(names, locals).map((rows) =>
  rows.map(([name, local]) => {
    const kind: UserKind = {
      what: 'a plain user',
      name: (own) => name(own).slice(0, NAME).trim(),
      email: (own) => {
        const address = `${local(own)}${own.domain}`;
        return address.length > ADDRESS ? `${own.tag}${own.domain}` : address;
      },
    };
    return { what: kind.what, kind, fate: 'must' };
  }),
);

const turned = (text: string, by: string) => text.split(by).reverse().join(by);
const inLocal = (change: (local: string) => string) => (email: string) =>
  `${change(email.slice(0, email.lastIndexOf('@')))}${email.slice(email.lastIndexOf('@'))}`;

/** What the second of two shares with the first, or is like in. */
const LIKE: [string, TwinCase['like']][] = [
  ['the same name', ({ name }) => ({ name: () => name })],
  ['the same name in capital letters', ({ name }) => ({ name: () => name.toUpperCase() })],
  ['the same name in small letters', ({ name }) => ({ name: () => name.toLowerCase() })],
  ['a name of the same words', ({ name }) => ({ name: () => turned(name, ' ') })],
  ['the beginning of the name', ({ name }) => ({ name: () => name.slice(0, -1) })],
  ['the same email', ({ email }) => ({ email: () => email })],
  ['the same email in capital letters', ({ email }) => ({ email: () => email.toUpperCase() })],
  ['the same email with a dot more', ({ email }) => ({ email: () => email.replace(/^(.)/, '$1.') })],
  ['the same email with a tag', ({ email }) => ({ email: () => email.replace('@', '+x@') })],
  ['an email of the same words', ({ email }) => ({ email: () => inLocal((local) => turned(local, '.'))(email) })],
  ['an email that is one digit longer', ({ email }) => ({ email: () => inLocal((local) => `${local}0`)(email) })],
];
const twin: Arbitrary<TwinCase[]> = sideBySide(plain, inTurn(LIKE)).map((rows) =>
  rows.map(([first, [what, like]]) => ({ what, like, first: { ...first } })),
);

export const users = [
  topic({
    what: 'plain users at the same time',
    cases: plain,
    perRound: 34,
    users: 1,
    judgedBy: {
      'create.concurrent': (all: UserCase[]) => ({
        created: created(usersTogether, ...all),
        kept: kept(usersTogether, ...all),
      }),
      'retrieve.concurrent': (all) => ({ kept: kept(usersTogether, ...all) }),
      'retrieve.created-user': (all) => ({ kept: kept(usersTogether, ...all) }),
      'retrieve.values': (all) => ({ kept: kept(usersTogether, ...all) }),
    },
  }),
  topic({
    what: 'users who share a name or an email',
    cases: twin,
    perRound: 3,
    users: 2,
    judgedBy: {
      'create.same-name': (all: TwinCase[]) => ({ pairs: twinsOf(...all.filter(({ what }) => what.includes('name'))) }),
      'create.same-email': (all) => ({ pairs: twinsOf(...all.filter(({ what }) => !what.includes('name'))) }),
    },
  }),
];
