import fc from 'fast-check';
import { show } from '../../src/http/value.ts';
import { type Case, type Change, RETRIEVE } from '../../src/requirement/case.ts';
import { decodeSegment, kindOf, segmentOf, unknownIdentifiers } from '../../src/run/identifier.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { ODD_IDENTIFIERS, PATTERNS } from './identifier-texts.ts';

/**
 * Makes the path segments of identifiers that belong to nobody; the next if one belongs to a user.
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
    // A lenient lookup may read the beginning.
    return sum.startsWith(known) ? [] : [sum];
  });

const STEPS = [
  ...[16n, 31n, 32n, 33n, 53n, 63n, 64n].map((exponent) => 2n ** exponent),
  ...[6n, 9n, 12n, 20n].map((exponent) => 10n ** exponent),
];

/** Shorter parts of an identifier may be another user's. */
const SHORTEST_PART = 6;

const partOf = (from: number, to: number, what: string): Case =>
  lookup(`the ${what} of a known identifier`, ([known = '']) => {
    const at = (percent: number) => Math.floor((known.length * percent) / 100);
    const part = known.slice(at(from), at(to));
    return isInteger(known) || part.length < SHORTEST_PART ? [] : [segmentOf(part)];
  });

/** Shorter identifiers with a changed character may belong to somebody. */
const LONG = 12;

const changedAt = (beforeEnd: number): Case =>
  lookup(
    `a known identifier with a character changed, ${beforeEnd} before its end`,
    ([known = '']) => {
      const at = known.length - 1 - beforeEnd;
      const old = known.charAt(at);
      if (isInteger(known) || known.length < LONG || !/[0-9a-z]/i.test(old)) return [];
      // A check character may be hexadecimal: a letter beyond f becomes another letter.
      const [usual, other] = /[0-9a-f]/i.test(old) ? ['0', '1'] : ['x', 'y'];
      const replacement = old.toLowerCase() === usual ? other : usual;
      return [segmentOf(known.slice(0, at) + replacement + known.slice(at + 1))];
    },
  );

const uuid = (text: string): Case =>
  lookup(`the UUID ${text}`, ([known = '']) => (kindOf(known) === 'UUID' ? [text] : []));

/** Several requests for one identifier: the first may make what the second one finds. */
const TIMES = 4;

const sameForm: Case[] = [
  ...Array.from({ length: TIMES }, () =>
    lookup('an identifier of the same form as known ones', (known) =>
      unknownIdentifiers(known).map(segmentOf),
    ),
  ),
  ...STEPS.map(plus),
  ...[25, 50, 75].map((percent) => partOf(0, percent, `first ${percent} %`)),
  ...[25, 50, 75].map((percent) => partOf(100 - percent, 100, `last ${percent} %`)),
  ...[0, 1, 2, 3, 8, 16, 24].map(changedAt),
  uuid('00000000-0000-0000-0000-000000000000'),
  uuid('ffffffff-ffff-ffff-ffff-ffffffffffff'),
  uuid('00000000-0000-4000-8000-000000000000'),
];

const text = (value: string): Case => lookup(show(value), () => [segmentOf(value)]);

/** Lengths around those of columns and buffers; longer paths are free to be rejected. */
const longIdentifier = fc
  .oneof(
    fc.constantFrom(
      31,
      33,
      63,
      65,
      127,
      129,
      254,
      255,
      256,
      257,
      511,
      513,
      1023,
      1024,
      1025,
      2047,
      2049,
      4000,
    ),
    fc.integer({ min: 30, max: 4000 }),
  )
  .map((length) => lookup(`${length} letters`, () => ['x'.repeat(length)]));

/** Places among the users, where no identifier is a number. */
const places = '1 2 3 10 -1 00 -0 0x1 1.0 1e0 01'.split(' ').map((place) =>
  lookup(`the place ${place} among the users`, ([known = '', ...more]) => {
    return [known, ...more].some(isInteger) || known.startsWith('-') ? [] : [place];
  }),
);

const endingWith = (end: string): Case =>
  lookup(`a known identifier with ${end} for its last character`, ([known = '', ...more]) => {
    const isLong = /.{11}[0-9a-z]$/i.test(known) && !more.includes(known.slice(0, -1));
    return isLong ? [segmentOf(known.slice(0, -1) + end)] : [];
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
