import fc from 'fast-check';
import { into, lists, oneOf, type Place, random, type Topic, take, topic } from '../../src/conduct/topic.ts';
import { KEY, keyChangedAt } from '../../src/http/key.ts';
import { type CredentialCase, MARK, type Operation } from '../../src/plan/steps/credentials.ts';
import {
  CREATE,
  headersOf,
  LIST,
  OPERATIONS,
  RETRIEVE,
  tried,
  variationsOf,
  withHeader,
  without,
} from '../authentication.ts';
import { keysIn, keyUnder, otherSpellings, spelled, trustedHeaders } from '../guard.ts';
import { rejectedAttempts } from '../refusals.ts';
import { lines, repeated, texts, words } from '../words.ts';
import { asUsual } from './reads.ts';

/**
 * In so many rounds each trick of a list is tried alone on each operation; those that are tried together are tried in
 * each.
 */
const ROUNDS = 8;

/**
 * Attempts without the documented credentials: each trick of a list, or so many at once, on each of some operations.
 */
const tricksOn =
  (operations: Operation[], atOnce = 1) =>
  (
    what: string,
    all: readonly string[],
    places: Place<CredentialCase>[],
    toCase: (operation: Operation, ...tricks: string[]) => CredentialCase,
  ): Topic => {
    const turn = Math.ceil(all.length / atOnce);
    const perRound = atOnce > 1 ? turn : Math.ceil((turn * operations.length) / ROUNDS);
    const params = { operation: oneOf(operations), tricks: lists(oneOf(all), atOnce) };
    const made = topic({ what, perRound }, places, params, ({ operation, tricks }) => toCase(operation, ...tricks));
    // First every trick on one of them, then on another, then on the third.
    made.params.draw = function* (gen) {
      const values = params.tricks.draw(gen);
      for (const start = gen(fc.nat, operations.length - 1); ; ) {
        const drawn = take(values, turn);
        for (const round of operations.keys())
          for (const [at, tricks] of drawn.entries())
            yield { operation: operations[(start + round + at) % operations.length], tricks };
      }
    };
    return made;
  };
const tricks = tricksOn(OPERATIONS);
const onCreations = tricksOn([CREATE]);
const READS: Operation[] = [LIST, RETRIEVE];
const onReads = tricksOn(READS);

const byHeader = (operation: Operation, authorization: string) =>
  withHeader(operation, `Authorization: ${authorization}`, authorization);
const withToken = (operation: Operation, token: string) => byHeader(operation, `Bearer ${repeated(token)}`);

/** Some servers answer nothing to a letter outside ASCII. */
const FOREIGN = variationsOf('letter outside ASCII').map(({ headers }) => `${headers.authorization}`);
const withSomeBytes = (operation: Operation, authorization: string): CredentialCase => ({
  ...byHeader(operation, authorization),
  mayBeSilent: true,
});

/** Not a part of sequences: whether they are let in does not depend on what was sent before. */
export const foreignKeys = tricks('keys with a letter outside ASCII', FOREIGN, [tried.oneCharacterOff], withSomeBytes);

/** All places of a key of up to 48 characters. */
const changedAt = Array.from({ length: 48 }, (_, index) => keyChangedAt(index < 24 ? index + 1 : 23 - index));

/** So many names for the key go with one request. */
const NAMES = 7;
const several = tricksOn(OPERATIONS, NAMES);
const keyIn = (kind: keyof typeof keysIn, names: string[], tricks = several) =>
  tricks(`the key in the ${kind}`, names, [keysIn[kind]], (operation, ...some) => keyUnder(operation, kind, some));
const KEY_HEADERS = words('key-headers').flatMap((name) => [`${name}: ${KEY}`, `${name}: Bearer ${KEY}`]);

/** How many names the key has in a form, of those that are most usual. */
const FORMS = 6;
/** As RFC 6750, section 2.2 once allowed it. */
const inForm = (operation: Operation, name = '') =>
  without(operation, `the key in a form as ${name}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `email=form%40example.com&name=Ada+Lovelace&${name}=<percent-encoded API_KEY>`,
  });

/** While many requests with the right key are in flight. */
const amongValid = (what: string, one: Partial<CredentialCase>, ...parts: Place<CredentialCase>[]): Topic =>
  topic(
    { what: `${what} among valid requests`, perRound: 9 },
    parts,
    { operation: oneOf(OPERATIONS) },
    ({ operation }) => without(operation, `${what}, among valid requests`, { ...one, amongOthers: true }),
  );
const intoNeedsKey = (operation: Operation) =>
  into(tried.noKey[operation], (one: CredentialCase) => (one.operation === operation ? [one] : []));

/** Twenty letters. */
const key = random(
  fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 20, maxLength: 20 }),
  (value) => typeof value === 'string' && /^[a-z]{20}$/.test(value),
);
/** Not a part of sequences either: a guard that keeps hashes of keys may take one of many for the right one. */
export const randomKeys = topic(
  { what: 'random keys', perRound: 80 },
  [tried.wrongKeys, rejectedAttempts],
  { operation: oneOf(OPERATIONS), key },
  ({ operation, key }) => withToken(operation, key),
);

/** Bodies that no service makes a user of. A parser that runs before the guard may say too much about them. */
const BODIES = ['', ' ', '{', '{"email":"x', '{"email":"x","name":', '{}', '[]', '[{}]', 'null', '"x"', '42'];

export const credentials: Topic[] = [
  tricks('other syntax of the header', texts('header-syntax'), [tried.otherSyntaxes, rejectedAttempts], byHeader),
  tricks('longer keys', lines('longer-keys'), [tried.longerKeys, rejectedAttempts], withToken),
  tricks('tokens that are not the key', lines('tokens'), [tried.wrongKeys, rejectedAttempts], withToken),
  tricks('keys with one character changed', changedAt, [tried.oneCharacterOff, rejectedAttempts], withToken),
  tricks('other schemes', lines('schemes'), [tried.otherSchemes, rejectedAttempts], byHeader),
  keyIn('query', words('key-parameters')),
  keyIn('cookie', words('key-cookies')),
  keyIn('body', words('key-parameters'), tricksOn([CREATE], NAMES)),
  onCreations('the key in a form', words('key-parameters').slice(0, FORMS), [keysIn.body], inForm),
  several('the key in other headers', KEY_HEADERS, [keysIn.header], (operation, ...all) =>
    without(operation, `the key in ${all.join(', ')}`, { headers: headersOf(all) }),
  ),
  amongValid('no Authorization header', {}, ...OPERATIONS.map(intoNeedsKey)),
  amongValid('a wrong key', { headers: { authorization: `Bearer ${MARK.wrongKey}` } }, tried.wrongKeys),
];

/** Not a part of sequences: what such a parser says does not depend on what was sent before. */
export const bodiesWithoutKey = onCreations(
  'invalid bodies without the key',
  BODIES,
  [intoNeedsKey(CREATE), rejectedAttempts],
  (operation, body = '') => without(operation, `the body ${body} and no Authorization header`, { body }),
);

/** A spelling of the path: first of the base address's, behind a space of the rest. Dot segments are not sent. */
function spelledWhole(text: string): Pick<CredentialCase, 'spelling' | 'base'> {
  const [base = '', below = ''] = text.split(' ');
  const [authority = ''] = /^https?:\/\/[^/]+/.exec(base) ?? [];
  // What stands before the version stays.
  return {
    base: (own) => authority + own.replace(/\/v1$/, '') + base.slice(authority.length),
    spelling: spelled(below),
  };
}

const believed = (operation: Operation, ...all: string[]) =>
  without(operation, all.join(', '), { headers: headersOf(all) });

/** So many headers that only say who asks go with one request: where one of them fails, making it small finds which. */
const TOGETHER = 16;

/** Behind a path: what many caches keep, whoever asks for it. */
const STATIC = ['.json', '.css', '.js', '.png', '.ico', '/x.css', ';.css', '?x.css', '%2Fx.css'];

export const guard: Topic[] = [
  tricks('spellings of the path without the key', lines('spellings'), [otherSpellings], (operation, trick = '') =>
    without(operation, `the path as ${trick.replace(' ', '')}`, spelledWhole(trick)),
  ),
  onReads('static addresses with the key and then without', STATIC, [otherSpellings], (operation, end = '') =>
    without(operation, `${end} behind the path, which was asked for with the key just before`, {
      spelling: (path) => path + end,
      isAskedBefore: true,
    }),
  ),
  // What a cache may tell responses apart by. The first of both responses may be in what is asked for: a coding that
  // the suite can decode, and JSON before a page.
  onReads('reads with the key and then without', lines('kept-by'), READS.map(intoNeedsKey), (operation, line = '') =>
    without(operation, `${line}, and what was asked for with the key just before`, {
      headers: headersOf([line]),
      isAskedBefore: true,
    }),
  ),
  topic(
    { what: 'accepted creations sent again without the key', perRound: 1, users: 1 },
    [trustedHeaders],
    asUsual,
    () =>
      without(CREATE, 'the Idempotency-Key and the body of a creation just before', {
        headers: { 'idempotency-key': MARK.newKey },
        isAskedBefore: true,
      }),
  ),
  tricks('headers of proxies without the key', lines('rewriting-headers'), [trustedHeaders], believed),
  tricksOn(OPERATIONS, TOGETHER)(
    'many headers of proxies without the key',
    lines('trusted-headers'),
    [trustedHeaders],
    believed,
  ),
];
