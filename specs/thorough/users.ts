import fc, { type Arbitrary } from 'fast-check';
import { type TwinCase, twinsOf } from '../../src/plan/steps/twins.ts';
import { created, kept, type UserCase, usersTogether } from '../../src/plan/steps/users.ts';
import type { Own, UserKind } from '../../src/plan/users.ts';
import { topic } from '../../src/requirement/topic.ts';
import { rowOf } from './drawn.ts';

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const letters = (alphabet: string, constraints: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...alphabet), ...constraints });
const SMALL = 'abcdefghijklmnopqrstuvwxyz';

/** Words that loaders, queries and templates take for something else; as a name they are plain. */
const WORDS = [
  ...['null', 'nil', 'none', 'nan', 'inf', 'infinity', 'undefined', 'void', 'true', 'false', 'yes', 'no', 'on', 'off'],
  ...[
    'y',
    'n',
    't',
    'f',
    'e',
    'x',
    'select',
    'drop',
    'insert',
    'update',
    'delete',
    'union',
    'where',
    'and',
    'or',
    'like',
  ],
  ...['admin', 'root', 'test', 'system', 'guest', 'anonymous', 'default', 'constructor', 'prototype', 'script', 'eval'],
  ...[
    'jr',
    'sr',
    'dr',
    'mr',
    'van',
    'de',
    'mac',
    'iii',
    'con',
    'nul',
    'aux',
    'prn',
    'date',
    'id',
    'email',
    'name',
    'data',
  ],
];

/** Plain names and addresses: what every service must take as it is (at most 40 and 64 characters). */
const [NAME, ADDRESS] = [40, 64];

const plainName: Arbitrary<(own: Own) => string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...WORDS), fc.constantFrom('small', 'Capital', 'ALL'), fc.boolean())
    .map(([word, writing, isFirst]) => (own: Own) => {
      const written = { small: word, Capital: capitalised(word), ALL: word.toUpperCase() }[writing];
      return isFirst ? `${written} ${own.word}` : `${own.word} ${written}`;
    }),
  fc.tuple(letters(SMALL + SMALL.toUpperCase(), { minLength: 1, maxLength: 24 }), fc.boolean()).map(
    ([word, isFirst]) =>
      (own: Own) =>
        isFirst ? `${word} ${own.word}` : `${own.word} ${word}`,
  ),
  // Of every length up to the longest, where buffers and columns end.
  fc.integer({ min: 15, max: NAME }).map((length) => (own: Own) => {
    const first = `${own.word} `;
    return first + capitalised(SMALL.repeat(2).slice(0, Math.max(1, length - first.length)));
  }),
);

const plainLocal: Arbitrary<(own: Own) => string> = fc.oneof(
  fc.tuple(fc.constantFrom(...WORDS), fc.boolean()).map(
    ([word, isFirst]) =>
      (own: Own) =>
        isFirst ? `${word}.${own.tag}` : `${own.tag}.${word}`,
  ),
  fc
    .constantFrom('0', '00', '007', '1e5', '0x1f', '1e400', '9007199254740993', '18446744073709551616')
    .map((digits) => (own: Own) => `${digits}.${own.tag}`),
  fc.constant((own: Own) => own.digits),
  fc.constant((own: Own) => `${own.tag.replaceAll('.', '')}`),
  letters(`${SMALL}0123456789`, { minLength: 1, maxLength: 20 }).map((word) => (own: Own) => `${word}.${own.tag}`),
  fc
    .array(fc.constantFrom(...SMALL), { minLength: 3, maxLength: 12 })
    .map((all) => (own: Own) => `${all.join('.')}.${own.tag}`),
  fc.integer({ min: 30, max: ADDRESS }).map((length) => (own: Own) => {
    const room = length - own.tag.length - own.domain.length - 1;
    return room > 0 ? `${(SMALL + SMALL).slice(0, room)}.${own.tag}` : own.tag;
  }),
);

const plain: Arbitrary<UserCase> = fc.tuple(plainName, plainLocal).map(([name, local]) => {
  const kind: UserKind = {
    what: 'a plain user',
    name: (own) => name(own).slice(0, NAME).trim(),
    email: (own) => {
      const address = `${local(own)}${own.domain}`;
      return address.length > ADDRESS ? `${own.tag}${own.domain}` : address;
    },
  };
  return { what: kind.what, kind, fate: 'must' };
});

/** Two at the same time of which the second shares something with the first. */
const twin = fc
  .tuple(
    plain,
    fc.constantFrom<[string, TwinCase['like']]>(
      ['the same name', ({ name }) => ({ name: () => name })],
      ['the same name in capital letters', ({ name }) => ({ name: () => name.toUpperCase() })],
      ['the same email', ({ email }) => ({ email: () => email })],
      ['the same email in capital letters', ({ email }) => ({ email: () => email.toUpperCase() })],
      ['the same email with a dot more', ({ email }) => ({ email: () => email.replace(/^(.)/, '$1.') })],
      ['the same email with a tag', ({ email }) => ({ email: () => email.replace('@', '+x@') })],
    ),
  )
  .map(([first, [what, like]]): TwinCase => ({ what, like, first: { ...first } }));

export const users = [
  topic({
    what: 'plain users at the same time',
    cases: rowOf(plain),
    perRound: 36,
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
    cases: rowOf(twin),
    perRound: 2,
    users: 2,
    judgedBy: {
      'create.same-name': (all: TwinCase[]) => ({ pairs: twinsOf(...all.filter(({ what }) => what.includes('name'))) }),
      'create.same-email': (all) => ({ pairs: twinsOf(...all.filter(({ what }) => !what.includes('name'))) }),
    },
  }),
];
