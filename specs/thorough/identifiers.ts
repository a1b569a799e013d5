import fc from 'fast-check';
import { show } from '../../src/http/value.ts';
import { type Case, type Change, RETRIEVE } from '../../src/requirement/case.ts';
import { decodeSegment, kindOf, segmentOf, unknownIdentifiers } from '../../src/run/identifier.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { ODD_IDENTIFIERS, PATTERNS } from './identifier-texts.ts';

/**
 * Returns path segments for identifiers that should not exist, made from the known ones. The next
 * is requested if one turns out to belong to a user.
 */
type Segments = (known: readonly string[]) => string[];

const lookup = (name: string, segments: Segments): Case => ({
  name,
  operation: RETRIEVE,
  isNobodys: true,
  change: requestsFor(segments),
});

const requestsFor =
  (segments: Segments): Change =>
  (usual, { identifier, identifiers }) => {
    const known = [...new Set([...(identifier ? [identifier] : []), ...identifiers])];
    const isKnown = (segment: string) => known.includes(decodeSegment(segment) ?? segment);
    const path = usual.path.slice(0, usual.path.lastIndexOf('/'));
    return segments(known)
      .filter((segment) => !isKnown(segment))
      .map((segment) => ({ ...usual, path: `${path}/${segment}` }));
  };

const isInteger = (text: string) => kindOf(text) === 'integer';

const plus = (step: bigint): Case =>
  lookup(`a known integer plus ${step}`, ([known = '']) => {
    if (!isInteger(known)) return [];
    const sum = `${BigInt(known) + step}`;
    // A lenient lookup may find a user by the beginning of the sum.
    return sum.startsWith(known) ? [] : [sum];
  });

const STEPS = [
  ...[16n, 31n, 32n, 33n, 53n, 63n, 64n].map((exponent) => 2n ** exponent),
  ...[6n, 9n, 12n, 20n].map((exponent) => 10n ** exponent),
];

/** Shorter parts of an identifier may belong to another user. */
const SHORTEST_PART = 6;

const partOf = (description: string, from: number, to: number): Case =>
  lookup(`the ${description} of a known identifier`, ([known = '']) => {
    const indexAt = (percent: number) => Math.floor((known.length * percent) / 100);
    const part = known.slice(indexAt(from), indexAt(to));
    return isInteger(known) || part.length < SHORTEST_PART ? [] : [segmentOf(part)];
  });

/** Shorter identifiers with a changed character may belong to a user. */
const SHORTEST_CHANGED = 12;

const changedAt = (beforeEnd: number): Case =>
  lookup(
    `a known identifier with a character changed, ${beforeEnd} before its end`,
    ([known = '']) => {
      const index = known.length - 1 - beforeEnd;
      const character = known.charAt(index);
      if (isInteger(known) || known.length < SHORTEST_CHANGED) return [];
      if (!/[0-9a-z]/i.test(character)) return [];
      const replaced = known.slice(0, index) + replacementOf(character) + known.slice(index + 1);
      return [segmentOf(replaced)];
    },
  );

/**
 * Returns another character of the same kind: the check character of an identifier may be
 * hexadecimal.
 */
function replacementOf(character: string): string {
  const letter = character.toLowerCase();
  if (/[0-9a-f]/.test(letter)) return letter === '0' ? '1' : '0';
  return letter === 'x' ? 'y' : 'x';
}

const uuid = (text: string): Case =>
  lookup(`the UUID ${text}`, ([known = '']) => (kindOf(known) === 'UUID' ? [text] : []));

/** Requests for one identifier: a request must not create the user that the next one finds. */
const REPETITIONS = 4;

const sameForm: Case[] = [
  ...Array.from({ length: REPETITIONS }, () =>
    lookup('an identifier of the same form as known ones', (known) =>
      unknownIdentifiers(known).map(segmentOf),
    ),
  ),
  ...STEPS.map(plus),
  ...[25, 50, 75].map((percent) => partOf(`first ${percent} %`, 0, percent)),
  ...[25, 50, 75].map((percent) => partOf(`last ${percent} %`, 100 - percent, 100)),
  ...[0, 1, 2, 3, 8, 16, 24].map(changedAt),
  uuid('00000000-0000-0000-0000-000000000000'),
  uuid('ffffffff-ffff-ffff-ffff-ffffffffffff'),
  uuid('00000000-0000-4000-8000-000000000000'),
];

const text = (value: string): Case => lookup(show(value), () => [segmentOf(value)]);

/** Lengths around those of columns and buffers. A service may reject longer paths. */
const LENGTHS = [
  31, 33, 63, 65, 127, 129, 254, 255, 256, 257, 511, 513, 1023, 1024, 1025, 2047, 2049, 4000,
];

const longIdentifier = fc
  .oneof(fc.constantFrom(...LENGTHS), fc.integer({ min: 30, max: 4000 }))
  .map((length) => lookup(`${length} letters`, () => ['x'.repeat(length)]));

/** Indexes among the users, if no identifier is a number. */
const places = '1 2 3 10 -1 00 -0 0x1 1.0 1e0 01'.split(' ').map((place) =>
  lookup(`the place ${place} among the users`, ([known = '', ...more]) => {
    return [known, ...more].some(isInteger) || known.startsWith('-') ? [] : [place];
  }),
);

const endingWith = (ending: string): Case =>
  lookup(`a known identifier with ${ending} for its last character`, ([known = '', ...others]) => {
    const beginning = known.slice(0, -1);
    if (!/.{11}[0-9a-z]$/i.test(known) || others.includes(beginning)) return [];
    return [segmentOf(beginning + ending)];
  });

const ODD = ['retrieve.odd', 'retrieve.odd-status'];

export const identifiers: DrawnCases[] = [
  {
    name: 'identifiers like the known ones',
    slugs: ['retrieve.unknown', 'retrieve.unknown-status'],
    perRound: 10,
    tables: [sameForm],
  },
  { name: 'odd identifiers', slugs: ODD, perRound: 14, tables: [ODD_IDENTIFIERS.map(text)] },
  { name: 'long identifiers', slugs: ODD, perRound: 6, cases: longIdentifier },
  {
    name: 'identifiers that are patterns or queries',
    slugs: ['retrieve.pattern', 'retrieve.odd-status'],
    perRound: 20,
    tables: [[...PATTERNS.map(text), ...places, ...['_', '%', '*'].map(endingWith)]],
  },
];
