import fc from 'fast-check';
import { lists, members, oneOf, random, take } from '../../src/conduct/domain.ts';
import { type Fill, into, type Topic, topic } from '../../src/conduct/topic.ts';
import { KEY, keyChangedAt } from '../../src/http/key.ts';
import { type CredentialCase, MARK, type Operation } from '../../src/plan/steps/credentials.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { CREATE, LIST, OPERATIONS, RETRIEVE, tried, variationsOf, withHeader, without } from '../authentication.ts';
import { keysIn, keyUnder, otherSpellings, spelled, trustedHeaders } from '../guard.ts';
import { rejectedAttempts } from '../refusals.ts';
import { header, lines, repeated, texts, words } from '../words.ts';
import { asUsual } from './reads.ts';

/**
 * In so many rounds each trick of a list is tried alone on each operation; those that are tried together are tried in
 * each.
 */
const ROUNDS = 8;

/** Attempts without the documented credentials: each trick of a list, or so many at once, on each operation. */
function tricks(
  what: string,
  all: readonly string[],
  toCase: (operation: Operation, ...tricks: string[]) => CredentialCase,
  parts: (DrawnPart<CredentialCase> | Fill<CredentialCase>)[],
  { atOnce = 1, operations = OPERATIONS } = {},
): Topic {
  const turn = Math.ceil(all.length / atOnce);
  const perRound = atOnce > 1 ? turn : Math.ceil((turn * operations.length) / ROUNDS);
  const some = lists(oneOf(all), atOnce);
  const params = members({ operation: oneOf(operations), tricks: some });
  // First every trick on one of them, then on another, then on the third.
  params.draw = function* (gen) {
    const values = some.draw(gen);
    for (const start = gen(fc.nat, operations.length - 1); ; ) {
      const drawn = take(values, turn);
      for (const round of operations.keys())
        for (const [at, tricks] of drawn.entries())
          yield { operation: operations[(start + round + at) % operations.length] as Operation, tricks };
    }
  };
  return topic({ what, perRound }, parts, params, ({ operation, tricks }) => toCase(operation, ...tricks));
}

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
export const foreignKeys = tricks('keys with a letter outside ASCII', FOREIGN, withSomeBytes, [tried.oneCharacterOff]);

/** All places of a key of up to 48 characters. */
const changedAt = Array.from({ length: 48 }, (_, index) => keyChangedAt(index < 24 ? index + 1 : 23 - index));

/** So many names for the key go with one request. */
const NAMES = 7;
const keyIn = (kind: keyof typeof keysIn, names: string[], operations = OPERATIONS) => {
  const toCase = (operation: Operation, ...some: string[]) => keyUnder(operation, kind, some);
  return tricks(`the key in the ${kind}`, names, toCase, [keysIn[kind]], { atOnce: NAMES, operations });
};

/** How many names the key has in a form, of those that are most usual. */
const FORMS = 6;
/** As RFC 6750, section 2.2 once allowed it. */
const inForm = (operation: Operation, name = '') =>
  without(operation, `the key in a form as ${name}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `email=form%40example.com&name=Ada+Lovelace&${name}=<percent-encoded API_KEY>`,
  });

/** While many requests with the right key are in flight. */
const amongValid = (what: string, one: Partial<CredentialCase>, ...parts: Parameters<typeof tricks>[3]): Topic =>
  topic(
    { what: `${what} among valid requests`, perRound: 9 },
    parts,
    members({ operation: oneOf(OPERATIONS) }),
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
  members({ operation: oneOf(OPERATIONS), key }),
  ({ operation, key }) => withToken(operation, key),
);

/** Bodies that no service makes a user of. A parser that runs before the guard may say too much about them. */
const BODIES = ['', ' ', '{', '{"email":"x', '{"email":"x","name":', '{}', '[]', '[{}]', 'null', '"x"', '42'];

export const credentials: Topic[] = [
  tricks('other syntax of the header', texts('header-syntax'), byHeader, [tried.otherSyntaxes, rejectedAttempts]),
  tricks('longer keys', lines('longer-keys'), withToken, [tried.longerKeys, rejectedAttempts]),
  tricks('tokens that are not the key', lines('tokens'), withToken, [tried.wrongKeys, rejectedAttempts]),
  tricks('keys with one character changed', changedAt, withToken, [tried.oneCharacterOff, rejectedAttempts]),
  tricks('other schemes', lines('schemes'), byHeader, [tried.otherSchemes, rejectedAttempts]),
  keyIn('query', words('key-parameters')),
  keyIn('cookie', words('key-cookies')),
  keyIn('body', words('key-parameters'), [CREATE]),
  tricks('the key in a form', words('key-parameters').slice(0, FORMS), inForm, [keysIn.body], { operations: [CREATE] }),
  tricks(
    'the key in other headers',
    words('key-headers').flatMap((name) => [`${name}: ${KEY}`, `${name}: Bearer ${KEY}`]),
    (operation, ...all) =>
      without(operation, `the key in ${all.join(', ')}`, { headers: Object.fromEntries(all.map(header)) }),
    [keysIn.header],
    { atOnce: NAMES },
  ),
  amongValid('no Authorization header', {}, ...OPERATIONS.map(intoNeedsKey)),
  amongValid('a wrong key', { headers: { authorization: `Bearer ${MARK.wrongKey}` } }, tried.wrongKeys),
];

/** Not a part of sequences: what such a parser says does not depend on what was sent before. */
export const bodiesWithoutKey = tricks(
  'invalid bodies without the key',
  BODIES,
  (operation, body = '') => without(operation, `the body ${body} and no Authorization header`, { body }),
  [intoNeedsKey(CREATE), rejectedAttempts],
  { operations: [CREATE] },
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

const believed = (operation: Operation, ...all: string[]) => {
  const headers: Record<string, string> = {};
  for (const [name, value] of all.map(header)) {
    // Of one name the last counts, but cookies have room for each other.
    headers[name] = name === 'cookie' && headers.cookie ? `${headers.cookie}; ${value}` : value;
  }
  return without(operation, all.join(', '), { headers });
};

/** The lists of headers that only say who asks or from where, and of those that may change what is asked for. */
const [harmless, harmful] = [lines('trusted-headers'), lines('rewriting-headers')];
/** So many headers go with one request: where one of them fails, making it small finds which. */
const TOGETHER = 16;

/** Behind a path: what many caches keep, whoever asks for it. */
const STATIC = ['.json', '.css', '.js', '.png', '.ico', '/x.css', ';.css', '?x.css', '%2Fx.css'];

/**
 * What a cache may tell responses apart by. The first of both responses may be in what is asked for: a coding that the
 * suite can decode, and JSON before a page.
 */
const KEPT_BY = [
  ...['gzip', 'br', 'deflate', 'br, gzip;q=0.5'].map((coding) => `accept-encoding: ${coding}`),
  ...['*/*', 'application/json, text/html;q=0.1'].map((type) => `accept: ${type}`),
  ...['accept-language: de', 'cache-control: no-cache'],
];

export const guard: Topic[] = [
  tricks(
    'spellings of the path without the key',
    lines('spellings'),
    (operation, trick = '') => without(operation, `the path as ${trick.replace(' ', '')}`, spelledWhole(trick)),
    [otherSpellings],
  ),
  tricks(
    'static addresses with the key and then without',
    STATIC,
    (operation, end = '') =>
      without(operation, `${end} behind the path, which was asked for with the key just before`, {
        spelling: (path) => path + end,
        isAskedBefore: true,
      }),
    [otherSpellings],
    { operations: [LIST, RETRIEVE] },
  ),
  tricks(
    'reads with the key and then without',
    KEPT_BY,
    (operation, line = '') =>
      without(operation, `${line}, and what was asked for with the key just before`, {
        headers: Object.fromEntries([header(line)]),
        isAskedBefore: true,
      }),
    [intoNeedsKey(LIST), intoNeedsKey(RETRIEVE)],
    { operations: [LIST, RETRIEVE] },
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
  tricks('headers of proxies without the key', harmful, believed, [trustedHeaders]),
  tricks('many headers of proxies without the key', harmless, believed, [trustedHeaders], { atOnce: TOGETHER }),
];
