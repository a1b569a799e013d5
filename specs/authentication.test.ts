import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { differsFromKey, fillIn } from '../src/http/key.ts';
import type { Attempt, CredentialCase } from '../src/plan/steps/credentials.ts';
import type { Refusal } from '../src/plan/steps/refusals.ts';
import { allHaveBoth, bothWays } from '../tests/judged-by-hand.ts';
import { exchange, whole } from '../tests/made-evidence.ts';
import { CREATE, casesOf, changedWithin, LIST, MALFORMED, OPERATIONS, on, variationsOf } from './authentication.ts';
import { lines } from './words.ts';

/** What came of a request with other credentials. */
const attempt = (status: number, changes: Partial<Attempt> = {}, one: Partial<CredentialCase> = {}): Attempt => ({
  ...{ one: on(LIST, 'a case', one), exchange: exchange({ status }), status, ok: status < 300, before: [] },
  ...changes,
});

const of = (status: number) => ({ attempts: [attempt(status)] });

/** One of those before the first creation, and at the end. */
const refusal = (what: Refusal['what'], status: number): Refusal => ({
  ...{ what, when: 'at the end', exchange: exchange({ status }), status, ok: status < 300, records: new Map() },
});
const around = (noKey: number, wrongKey: number) => [
  ...[refusal('no key', noKey), refusal('wrong key', wrongKey), refusal('nobody', 404)],
];

describe('what must be refused', () => {
  const slugs = [
    ...['create-needs-key', 'retrieve-needs-key', 'no-token', 'key-cut-short', 'key-extended', 'key-case'],
    ...['key-one-character', 'other-scheme', 'no-scheme', 'header-syntax'],
  ];
  for (const slug of slugs) {
    bothWays(`authentication.${slug}`, of(401), of(200), 'got 200 for GET /users with a case');
  }
  for (const place of ['query', 'other-header', 'cookie', 'body']) {
    const ways = (status: number) => ({ ways: [attempt(status)] });
    bothWays(`authentication.key-in-${place}`, ways(401), ways(200), 'got 200 for GET /users with a case');
  }

  bothWays(
    'authentication.list-needs-key',
    { attempts: [attempt(401)], around: around(401, 401) },
    { attempts: [attempt(401)], around: around(200, 401) },
    'got 200 for GET /users with Bearer <API_KEY> at the end',
  );

  bothWays(
    'authentication.wrong-key',
    { attempts: [attempt(401)], open: [attempt(401)], around: around(401, 401) },
    { attempts: [attempt(401)], open: [attempt(401)], around: around(401, 200) },
    'got 200 for GET /users with Bearer <API_KEY> at the end',
  );
});

describe('how it is refused', () => {
  const statuses = [
    ['status-without-credentials', 401, 403],
    ['status-wrong-key', 403, 400],
    ['status-malformed', 400, 404],
  ] as const;
  for (const [slug, right, wrong] of statuses) {
    bothWays(`authentication.${slug}`, of(right), of(wrong), `got ${wrong}`);
  }

  const challenged = exchange({ status: 401, response: { headers: [['WWW-Authenticate', 'Bearer']] } });
  bothWays(
    'authentication.challenge',
    { attempts: [attempt(401, { exchange: challenged })] },
    { attempts: [attempt(401)] },
    'a 401 without one',
  );

  bothWays(
    'authentication.scheme-case',
    { attempts: [attempt(200)] },
    { attempts: [attempt(401)] },
    'expected a 2xx status',
  );

  bothWays(
    'authentication.before-all-else',
    { twice: [attempt(401)], once: [attempt(401)] },
    { twice: [attempt(404)], once: [attempt(401)] },
    'expected 401, as with a wrong key alone',
  );

  bothWays(
    'authentication.refusal-shows-no-user',
    { attempts: [attempt(401)] },
    { attempts: [attempt(401, { shows: 'ada@example.com' })] },
    'ada@example.com',
  );

  bothWays(
    'authentication.key-not-in-answers',
    { run: whole({ record: [exchange({ status: 404 })] }) },
    { run: whole({ record: [exchange({ status: 404, response: { keyInBody: true } })] }) },
    'the key in the body of a 404',
  );
});

describe('ways around the guard', () => {
  for (const slug of ['guard.path-spelling', 'guard.trusted-headers']) {
    const made = attempt(201, {}, { operation: CREATE });
    bothWays(slug, { attempts: [attempt(200)] }, { attempts: [made] }, 'for POST /users without the key, got 201');
  }
});

const KEY = 'Ab0.d-live_xYz91';

const KINDS = ['rarer near key', 'added character', 'other syntax', 'less common scheme'];

test.each([...KINDS.flatMap(variationsOf), ...changedWithin])('$what is made of the key', ({ headers }) => {
  const { authorization = '' } = headers;
  expect(fillIn(authorization, KEY)).not.toMatch(/[<>]/);
  expect(differsFromKey(authorization.replace('Bearer ', ''), KEY)).toBe(true);
});

test.each(lines('credentials'))('%s is a case, or one of a kind that cases take turns in', (line) => {
  const [kind = '', operation = '', , ...parts] = line.split(' | ');
  const ofOneKind = parts.flatMap((part) => (part.startsWith('one of ') ? part.slice('one of '.length) : []));
  const others = parts.filter((part) => !part.startsWith('one of ') && !part.includes(':'));
  expect(['each', 'in turn', ...OPERATIONS]).toContain(operation);
  expect(['used', 'mayBeSilent', 'isWelcome']).toEqual(expect.arrayContaining(others));
  for (const one of ofOneKind) expect(variationsOf(one)).not.toEqual([]);
  expect(operation === 'in turn' ? variationsOf(kind) : casesOf(kind)).not.toEqual([]);
});

test('each kind that a chapter names is one of the list', () => {
  const kinds = lines('credentials').map((line) => line.split(' | ')[0]);
  const chapters = ['authentication', 'guard', 'refusals', 'survival'].map((name) =>
    readFileSync(`${import.meta.dirname}/${name}.ts`, 'utf8'),
  );
  const named = [...chapters.join('').matchAll(/casesOf\(([^)]*)\)/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/'([^']+)'/g)].map(([, kind = '']) => kind),
  );
  expect(named.length).toBeGreaterThan(10);
  expect([...named, ...MALFORMED].filter((kind) => !kinds.includes(kind))).toEqual([]);
});

test('of any three places in a row that are changed within the key, one is its middle', () => {
  const all = changedWithin.map(({ what }) => what.includes('middle'));
  expect(all.filter((_, at) => ![0, 1, 2].some((next) => all[(at + next) % all.length]))).toEqual([]);
});

allHaveBoth('authentication', 'guard');
