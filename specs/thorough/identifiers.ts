import fc from 'fast-check';
import { show } from '../../src/http/value.ts';
import type { Case } from '../../src/requirement/case.ts';
import { kindOf, segmentOf, unknownIdentifiers } from '../../src/run/identifier.ts';
import type { Kind } from '../../src/thorough/draw.ts';
import { endingWith, lookup, plus, withCharacterChanged } from '../unknown-identifiers.ts';
import { invisible, kind, lengths, lineOf, oneOf, weighted } from './arbitraries.ts';

const isInteger = (identifier: string) => kindOf(identifier) === 'integer';

/** Requests for one identifier: a request must not create the user that the next one finds. */
const sameAgain = fc
  .integer({ min: 1, max: 4 })
  .map((time) =>
    lookup(`an identifier of the same form as known ones (${time})`, (known) =>
      unknownIdentifiers(known).map(segmentOf),
    ),
  );

const power = weighted(
  [7, fc.constantFrom(16n, 31n, 32n, 33n, 53n, 63n, 64n).map((exponent) => 2n ** exponent)],
  [4, fc.constantFrom(6n, 9n, 12n, 20n).map((exponent) => 10n ** exponent)],
);

/** Shorter parts of an identifier may belong to another user. */
const SHORTEST_PART = 6;

const part = fc.tuple(oneOf('first', 'last'), fc.constantFrom(25, 50, 75)).map(([side, percent]) =>
  lookup(`the ${side} ${percent} % of a known identifier`, ([known = '']) => {
    const length = Math.floor((known.length * percent) / 100);
    if (isInteger(known) || length < SHORTEST_PART) return [];
    return [segmentOf(side === 'first' ? known.slice(0, length) : known.slice(-length))];
  }),
);

const like = weighted(
  [2, sameAgain],
  [3, power.map((step) => lookup(`a known integer plus ${step}`, plus(step)))],
  [2, part],
  [
    4,
    fc
      .integer({ min: -4, max: 24 })
      .map((place) =>
        lookup(`a known identifier with character ${place} changed`, withCharacterChanged(place)),
      ),
  ],
  [
    1,
    lineOf('uuids').map((uuid) =>
      lookup(uuid, ([known = '']) => (kindOf(known) === 'UUID' ? [uuid] : [])),
    ),
  ],
);

/** A lookup that reads the number at the beginning of a text is free to find a user by it. */
const beginsWithNumber = (identifier: string) => /^-?(?!0 )\p{N}/u.test(identifier);

const lookupOf = (identifier: string): Case =>
  lookup(show(identifier), (known) =>
    beginsWithNumber(identifier) && known.some(isInteger) ? [] : [segmentOf(identifier)],
  );

const odd = weighted(
  [2, lineOf('odd-identifiers')],
  [2, oneOf(...'\'"`%\\|^~$&=+#?;,:!<> é山𠮷👍٣１')],
  [2, invisible],
).map(lookupOf);

const long = weighted([1, lengths(32, 4000)], [1, fc.integer({ min: 30, max: 4000 })]).map(
  (length) => lookup(`${length} letters`, () => ['x'.repeat(length)]),
);

const place = oneOf('1', '2', '3', '10', '-1', '00', '-0', '0x1', '1.0', '1e0', '01');

const ending = oneOf('_', '%', '*').map((end) =>
  lookup(`a known identifier with ${end} for its last character`, endingWith(end)),
);

export const identifiers: Kind<Case>[] = [
  kind(
    'identifiers like the known ones',
    ['retrieve.unknown', 'retrieve.unknown-status'],
    10,
    like,
  ),
  kind(
    'odd and long identifiers',
    ['retrieve.odd', 'retrieve.odd-status'],
    20,
    weighted([14, odd], [6, long]),
  ),
  kind(
    'identifiers that are patterns or queries',
    ['retrieve.pattern', 'retrieve.odd-status'],
    20,
    weighted([9, lineOf('patterns').map(lookupOf)], [1, place.map(lookupOf)], [1, ending]),
  ),
];
