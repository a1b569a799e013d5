import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { thorough } from '../../specs/thorough/index.ts';
import type { Request } from '../../src/http/exchange.ts';
import { type Case, type CaseContext, CREATE, LIST, RETRIEVE } from '../../src/requirement/case.ts';
import { casesOf } from '../../src/requirement/requirement.ts';
import { userFactory } from '../../src/run/users.ts';
import { type Kind, type Sequence, shrink, sourceOf } from '../../src/thorough/draw.ts';

const { cases, sequences } = thorough;
const kinds: readonly Kind<Case | Sequence>[] = [...cases, ...sequences];
const slugs = requirements.map(({ slug }) => slug);

test('each kind has a unique name, and requirements that judge it', () => {
  const names = kinds.map(({ name }) => name);
  const isTwice = (name: string, at: number) => names.indexOf(name) < at;
  expect(names.filter(isTwice)).toEqual([]);
  expect(kinds.flatMap((kind) => kind.slugs).filter((slug) => !slugs.includes(slug))).toEqual([]);
});

/** Requirements with fixed cases alone. */
const FIXED = [
  'authentication.scheme-case',
  'versioning.needs-segment',
  'versioning.unknown-version',
];

test('cases of every other requirement are drawn, or stand in sequences', () => {
  const drawn = new Set(kinds.flatMap((kind) => kind.slugs));
  const sequence = sequences.flatMap((kind) => sourceOf(kind, 1).draw(100));
  const steps = sequence.flatMap(({ value }) => value.steps);
  const inSequences = new Set(steps.flatMap((step) => ('case' in step ? step.case : [])));
  const fixed = requirements
    .filter(({ expect: expectation }) => expectation !== undefined)
    .filter(({ slug }) => !drawn.has(slug))
    .filter((requirement) => !casesOf(requirement).some((fixedCase) => inSequences.has(fixedCase)));
  expect(fixed.map(({ slug }) => slug).sort()).toEqual(FIXED);
});

describe.for(kinds.map((kind) => [kind.name, kind] as const))('%s', ([, kind]) => {
  test('the same seed draws the same cases', () => {
    const draw = (seed: number) => {
      const source = sourceOf(kind, seed);
      return [...source.draw(20), ...source.draw(20)].map(({ value }) => value.name);
    };
    expect(draw(7)).toEqual(draw(7));
  });

  test('the seed and path of a case generate it again', async () => {
    const [, second] = sourceOf(kind, 11).draw(3);
    const names: string[] = [];
    const hasFailed = async ({ name }: Case | Sequence) => {
      names.push(name);
      return false;
    };
    if (second) await shrink(second, 5, hasFailed);
    expect(names).toEqual([second?.value.name]);
  });
});

describe.for(cases.map((kind) => [kind.name, kind] as const))('%s', ([, kind]) => {
  test('a user is made by each, and a plain one where it must be', () => {
    const factory = userFactory('example.com');
    for (const { value } of sourceOf(kind, 3).draw(100)) {
      const { user, expected } = value;
      if (user === undefined || expected !== 'created') continue;
      const { email, name } = factory.make(user, USER);
      expect(email.length).toBeLessThanOrEqual(64);
      expect(name.length).toBeLessThanOrEqual(40);
      expect(email).toMatch(/^[a-z\d]+(\.[a-z\d]+)*@example\.com$/);
      expect(name).toMatch(/^[a-z]+ [a-z]+$/i);
    }
  });
});

const USER = { email: 'ada.x1@example.com', name: 'Ada Lovelace' };
const ID = 'f8c3de3d-1fea-4d7c-a8b0-29f63c4c3454';

const CONTEXT: CaseContext = {
  basePath: '/v1',
  user: USER,
  identifier: ID,
  identifiers: [ID],
  wrongKey: 'wrong',
  isWrongKey: () => true,
  isSameSignature: () => false,
  cookies: undefined,
  headerNames: [],
  idempotencyKey: undefined,
  userTag: undefined,
  listTag: undefined,
  retrieval: undefined,
};

const PATHS = { [LIST]: '/users', [CREATE]: '/users', [RETRIEVE]: `/users/${ID}` };

test('each request has a path that begins with a slash, or a whole address', () => {
  for (const kind of cases) {
    for (const { value } of sourceOf(kind, 4).draw(80)) {
      const { operation, change } = value;
      const method = operation === CREATE ? 'POST' : 'GET';
      const body = JSON.stringify(USER);
      const usual: Request = { method, path: `/v1${PATHS[operation]}`, headers: {}, body };
      for (const { path } of [change(usual, CONTEXT) ?? []].flat()) {
        expect(path, value.name).toMatch(/^(https?:\/)?\//);
      }
    }
  }
});

test('a case is not drawn again before the others of its kind', () => {
  const kind = cases.find(({ name }) => name === 'one-word addresses');
  const source = kind && sourceOf(kind, 5);
  const names = source?.draw(200).map(({ value }) => value.name) ?? [];
  expect(new Set(names).size).toBe(200);
});
