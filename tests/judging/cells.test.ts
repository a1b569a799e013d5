import { describe, expect, test } from 'vitest';
import { variationsOf } from '../../specs/authentication.ts';
import { requirements } from '../../specs/index.ts';
import { PLAIN_KINDS } from '../../specs/plain-users.ts';
import type { Request } from '../../src/http/exchange.ts';
import { differsFromKey } from '../../src/http/key.ts';
import { type Turning, taken } from '../../src/plan/step.ts';
import type { BodyCase, MistypedCase } from '../../src/plan/steps/bodies.ts';
import type { CredentialCase } from '../../src/plan/steps/credentials.ts';
import { ifChanged } from '../../src/plan/steps/reads.ts';
import { type FreeCase, freeRequests, type LookupCase } from '../../src/plan/steps/refusals.ts';
import type { SeveralCase } from '../../src/plan/steps/several-places.ts';
import type { TwinCase, UserCase } from '../../src/plan/steps/users.ts';
import type { Requirement } from '../../src/requirement/requirement.ts';
import { judgeKept } from '../run.ts';
import { wrongAddress, wrongBody, wrongLookup, wrongTwin, wrongType, wrongUser } from '../services/cells/creations.ts';
import { wrongWith } from '../services/cells/credentials.ts';
import { isWriting, marking, refusesMarked } from '../services/cells/writings.ts';
import { choicesBy } from '../services/choices.ts';
import { type Here, startHere } from '../services/here.ts';
import { firstOf } from '../services/sample.ts';
import { type Patch, Service } from '../services/service.ts';

/** A service that does one thing wrong, made of a case that a requirement declares. */
interface Cell {
  slug: string;
  what: string;
  start: () => Promise<Here>;
  /** Of a case that takes turns: choices of a run by which it takes the variation. */
  choices?: string;
}

const numbers: Patch = (service) => {
  let next = 1000;
  service.newId = () => next++;
};

/** The key of all services: some variations of a key are none of this one. */
const KEY_OF_SERVICES = new Service().key;

/** What the cases of a part of the evidence are there for, where not for the requirement itself. */
const FOR_OTHERS = /^(all|open|free|once|keys)$/;

/** A case, the usual ones of those that go out together, or each of its variations. */
function singles(one: object): { single: object; choices?: string }[] {
  if ('parts' in one) return partsOf(one as SeveralCase);
  const { turns } = one as Turning<object>;
  if (turns === undefined) return [{ single: one }];
  const kinds = new Map((turns as { what: string }[]).map((turn) => [turn.what, turn]));
  return [...kinds].map(([what, turn]) => {
    const choices = choicesBy(one as Turning<{ what: string }>, what);
    // What makes a body or an identifier is known again by what it has made: by the variation itself.
    return { single: 'make' in turn || 'segments' in turn ? turn : (taken(one, choices) as object), choices };
  });
}

/** The usual ones of those that go out together, each with choices of a run that sends it. */
function partsOf(one: SeveralCase) {
  const parts = Array.from({ length: 100 }, (_, tried) => `${tried}`).flatMap((choices) =>
    taken(one, choices).parts.map((single) => [single.what, { single, choices }] as const),
  );
  return [...new Map(parts.reverse()).values()].reverse();
}

function casesOf({ evidence }: Requirement): { step: string; one: object; choices?: string }[] {
  const parts = Object.entries(evidence).filter(([name, { whole }]) => !whole && !FOR_OTHERS.test(name));
  return parts.flatMap(([, { cases }]) =>
    cases.flatMap(([step, one]) =>
      (one === undefined ? [] : singles(one as object)).map(({ single, ...how }) => ({
        step: step.name,
        one: single,
        ...how,
      })),
    ),
  );
}

const ofAccess = /^(authentication|guard)\./;
const ofUsers = /^(round-trip\.|create\.(accepted-exists|concurrent)$|retrieve\.values$)/;
const ofWritings = /^http\.(equivalent-requests|chunked-body|media-type)$/;

/** The services for one case: none where the requirement judges something else by it. */
function cellsOf({ slug }: Requirement, step: string, one: object): Cell[] {
  const cell = (what: string, ...patches: Patch[]): Cell => ({ slug, what, start: () => startHere(...patches) });
  if ('unless' in one) {
    const { operation, what, unless, kind, query } = one as CredentialCase;
    // No service of these tests tells it from none.
    if (query === '?') return [];
    const ofKind = kind === 'proxy' ? /trusted/ : new RegExp(`key-in-(other-)?${kind}|shows-no-user|challenge`);
    if (kind !== undefined && !ofKind.test(slug)) return [];
    const { headers } = one as CredentialCase;
    const isControl =
      unless.length === 0 &&
      (!/needs-key|wrong-key|without-credentials|shows|challenge/.test(slug) ||
        (slug.endsWith('.wrong-key') && !headers.authorization));
    const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (token !== undefined && !differsFromKey(token, KEY_OF_SERVICES)) return [];
    return ofAccess.test(slug) && !isControl
      ? [cell(`${operation} with ${what}`, wrongWith(slug, one as CredentialCase))]
      : [];
  }
  if ('segments' in one) {
    const { what, segments } = one as LookupCase;
    const isOfNumbers =
      segments([`${2n ** 20n}`]).length > 0 && segments(['a7e7c6a1-0000-4000-8000-000000000001']).length === 0;
    return [cell(what, wrongLookup(slug, one as LookupCase), ...(isOfNumbers ? [numbers] : []))];
  }
  if (step === freeRequests.name)
    return /versioning\.(needs|unknown)/.test(slug)
      ? [cell((one as FreeCase).what, wrongAddress(one as FreeCase))]
      : [];
  if ('make' in one) return [cell((one as BodyCase).what, wrongBody(slug, one as BodyCase))];
  if ('member' in one) return [cell((one as MistypedCase).what, wrongType(slug, one as MistypedCase))];
  if ('like' in one)
    return /create\.same/.test(slug) && !step.startsWith('second')
      ? [cell((one as TwinCase).what, wrongTwin(one as TwinCase))]
      : [];
  if ('fate' in one && ofUsers.test(slug)) {
    const { what, kind, write } = one as UserCase;
    return kind && step.endsWith('retrieved') && !(slug === 'create.concurrent') && !write
      ? [cell(what, wrongUser(slug, one as UserCase))]
      : [];
  }
  if ('write' in one && ofWritings.test(slug)) {
    const { what, write } = one as { what: string; write?: (request: Request) => Request };
    if (!write || write === ifChanged || !isWriting(write) || step.endsWith('retrieved')) return [];
    const operation = 'fate' in one ? /^POST/ : /list/.test(step) ? /^GET .*\/users$/ : /^GET .*\/users\/./;
    const start = async () => {
      const here = await startHere(refusesMarked);
      return { ...here, ...(here.makeSender && { makeSender: marking(here.makeSender, operation, write) }) };
    };
    return [{ slug, what: `${what}, ${operation}`, start }];
  }
  return [];
}

const plain = PLAIN_KINDS.map((kind): UserCase => ({ what: kind.what, kind, fate: 'must' }));
const cells = [
  ...requirements.flatMap((requirement) =>
    casesOf(requirement).flatMap(({ step, one, choices }) =>
      cellsOf(requirement, step, one).map((cell): Cell => ({ ...cell, ...(choices && { choices }) })),
    ),
  ),
  ...plain.map(
    (one): Cell => ({
      slug: 'create.answers',
      what: one.what,
      start: () => startHere(wrongUser('create.answers', one)),
    }),
  ),
];

/**
 * These judge by all that was sent, or by what overlaps; the broken services of their chapters show what they catch.
 */
const OF_ALL = [
  'create.concurrent',
  'http.survives-bad-requests',
  'list.agrees-with-retrieve',
  'list.answers',
  'list.contains-created',
  'list.data-array',
  'list.total-integer',
  'list.users',
  'retrieve.concurrent',
  'retrieve.created-user',
  'retrieve.exact-user',
  'versioning.base-address',
];

const tried = firstOf(cells, ({ slug }) => slug);

describe.concurrent('what breaks one case alone fails the requirement that declares it', () => {
  test.for(tried)('$slug: $what', async ({ slug, start, choices }) => {
    const service = await start();
    const run = await judgeKept(service, choices === undefined ? {} : { choices }, { only: [slug] }).finally(
      service.close,
    );
    const { outcome, reason } = run.outcomes.find((one) => one.slug === slug) ?? {};
    expect(outcome, reason).toBe('failed');
  });
});

test('every requirement with cases has services that are made of them', () => {
  const having = requirements.filter((one) => casesOf(one).length > 0).map(({ slug }) => slug);
  const made = new Set(cells.map(({ slug }) => slug));
  expect(having.filter((slug) => !made.has(slug)).sort()).toEqual(OF_ALL);
});

/** The operations that a sentence names; all of them where it names none. */
function operationsOf({ slug, sentence }: Requirement): string[] {
  if (/create request|POST \/users/i.test(sentence)) return ['POST /users'];
  if (/GET \/users\/:id/.test(sentence)) return ['GET /users/:id'];
  if (/GET \/users/.test(sentence)) return ['GET /users'];
  return slug === '' ? [] : ['GET /users', 'GET /users/:id', 'POST /users'];
}

/** Cases that one operation has no room for, or that one is enough of. */
const NARROW = [
  ...['rarer near key', 'other syntax'].flatMap(variationsOf).map(({ what }) => what),
  'the key without its punctuation, and cache-control: only-if-cached',
  'the digits of the key, and content-type: application/vnd.api+json',
  'the Idempotency-Key of an accepted creation',
  'the digits at the beginning of the key',
  'a pattern that any key matches, and range: bytes=0-',
  'the key with two adjacent characters swapped',
  'the word constructor',
  'the word undefined',
  'the word toString',
  'the word null',
  'the key with the case of one letter swapped',
  'the key with a zero for an O',
  'the key with a letter for a dot',
  'the key with an accent on a letter',
  'the path without the version',
  'the version with a capital V',
  'X-HTTP-Method-Override: GET',
  'X-Original-URL and X-Rewrite-URL with the path',
  'the key in the body as access_token and api_key',
  'the scheme in lower case',
  'the scheme in capitals',
  'an SQL condition',
  'an unknown identifier',
  'a truncated body',
  'a body without email and name',
  'the email of a user who exists',
  'Host: localhost',
  'Host: 127.0.0.1',
  'Host: internal',
];

describe('a requirement on requests tries each of its cases on each operation that its sentence names', () => {
  const access = requirements.filter(
    (one) => ofAccess.test(one.slug) && casesOf(one).some((each) => 'unless' in each.one),
  );
  test.for(access.map((one) => [one.slug, one] as const))('%s', ([, requirement]) => {
    const expected = operationsOf(requirement);
    const byWhat = new Map<string, Set<string>>();
    for (const { one } of casesOf(requirement)) {
      if (!('unless' in one)) continue;
      const { what, operation, unless } = one as CredentialCase;
      if (unless.length === 0 && !/needs-key|wrong-key|without-credentials/.test(requirement.slug)) continue;
      byWhat.set(what, (byWhat.get(what) ?? new Set()).add(operation));
    }
    const narrow = [...byWhat].filter(
      ([what, operations]) => !NARROW.includes(what) && expected.some((one) => !operations.has(one)),
    );
    expect(narrow.map(([what]) => what)).toEqual([]);
  });
});
