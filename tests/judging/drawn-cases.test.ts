import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { thorough } from '../../specs/thorough/index.ts';
import { casesOf, type Requirement } from '../../src/requirement/requirement.ts';
import { userFactory } from '../../src/run/users.ts';
import { isGenerated, sourceOf } from '../../src/thorough/drawn-cases.ts';

const { kinds, sequences } = thorough;
const slugs = requirements.map(({ slug }) => slug);

test('each kind has a unique name, and requirements that judge it', () => {
  const names = kinds.map(({ name }) => name);
  const isTwice = (name: string, at: number) => names.indexOf(name) < at;
  expect(names.filter(isTwice)).toEqual([]);
  expect(kinds.flatMap((kind) => kind.slugs).filter((slug) => !slugs.includes(slug))).toEqual([]);
  expect(slugs).toContain(sequences.slug);
  // A slash separates the name from the path of a case.
  expect(kinds.filter(isGenerated).filter(({ name }) => name.includes('/'))).toEqual([]);
});

/** Requirements with fixed cases alone. */
const FIXED = [
  'authentication.scheme-case',
  'versioning.needs-segment',
  'versioning.unknown-version',
];

test('cases of every other requirement are drawn, or stand in sequences', () => {
  const drawn = new Set(kinds.flatMap((kind) => kind.slugs));
  const inSequences = new Set<unknown>(sequences.cases);
  const isInSequence = (requirement: Requirement) =>
    casesOf(requirement).some((testCase) => inSequences.has(testCase));
  const fixed = requirements
    .filter(({ expect: expectation }) => expectation !== undefined)
    .filter((requirement) => !drawn.has(requirement.slug) && !isInSequence(requirement));
  expect(fixed.map(({ slug }) => slug).sort()).toEqual(FIXED);
});

describe.for(kinds.map((kind) => [kind.name, kind] as const))('%s', ([, kind]) => {
  test('the same seed draws the same cases', () => {
    const draw = (seed: number) => {
      const source = sourceOf(kind, seed);
      return [...source.take(20), ...source.take(20)].map((drawn) => drawn.case.name);
    };
    expect(draw(7)).toEqual(draw(7));
  });

  test('a user is made by each, and a plain one where it must be', () => {
    const factory = userFactory('example.com');
    const other = { email: 'ada.x1@example.com', name: 'Ada Lovelace' };
    for (const drawn of sourceOf(kind, 3).take(60)) {
      const { user, expected, change } = drawn.case;
      if (user === undefined || expected !== 'created') continue;
      const { email, name } = factory.make(user, other);
      expect(email.length).toBeLessThanOrEqual(64);
      expect(name.length).toBeLessThanOrEqual(40);
      expect(email).toMatch(/^[a-z\d]+(\.[a-z\d]+)*@example\.com$/);
      expect(name).toMatch(/^[a-z]+ [a-z]+$/i);
      expect(change).toBeTypeOf('function');
    }
  });
});

test('a generated case is generated again by its seed and path', async () => {
  const generated = kinds.filter(isGenerated);
  for (const kind of generated) {
    const [, second] = sourceOf(kind, 11).take(3);
    const seen: string[] = [];
    const property = fc.property(kind.cases, ({ name }) => void seen.push(name));
    fc.check(property, { ...second?.replay, unbiased: true, numRuns: 1 });
    expect(seen).toEqual([second?.case.name]);
  }
});
