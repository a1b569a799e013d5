import { show } from '../src/http/value.ts';
import { type Case, type Change, inTurn, RETRIEVE, sentAlone } from '../src/requirement/case.ts';
import { decodeSegment, kindOf, segmentOf, unknownIdentifiers } from '../src/run/identifier.ts';
import { asBrowser } from './free-requests.ts';

/**
 * Returns path segments for identifiers that should not exist, made from the known ones. The next
 * is requested if one turns out to belong to a user.
 */
type Segments = (known: readonly string[]) => string[];

export const lookup = (name: string, segments: Segments): Case => ({
  name,
  operation: RETRIEVE,
  isNobodys: true,
  change: requestsFor(segments),
});

const requestsFor =
  (segments: Segments): Change =>
  (usual, { identifier, identifiers }) => {
    const known = [...new Set([...(identifier ? [identifier] : []), ...identifiers])];
    const unknown = segments(known).filter(
      (segment) => !known.includes(decodeSegment(segment) ?? segment),
    );
    const path = usual.path.slice(0, usual.path.lastIndexOf('/'));
    return unknown.map((segment) => ({ ...usual, path: `${path}/${segment}` }));
  };

const fixed = (name: string, segment: string): Case => lookup(name, () => [segment]);

const isInteger = (text: string) => kindOf(text) === 'integer';

/** Returns a segment only if identifiers are integers. */
const ifInteger =
  (make: (known: string) => string): Segments =>
  ([known = '']) =>
    isInteger(known) ? [make(known)] : [];

/**
 * Adds a step to a known integer. A sum that begins with the known one is left out: a lenient
 * lookup may find that.
 */
export const plus = (step: bigint): Segments =>
  ifInteger((known) => {
    const sum = `${BigInt(known) + step}`;
    return sum.startsWith(known) ? known : sum;
  });

/** Shorter identifiers with a changed character may belong to a user. */
const SHORTEST_CHANGED = 12;

/**
 * Changes one character of a known identifier, counted from its end, or from its beginning if
 * negative.
 */
export const withCharacterChanged =
  (position: number): Segments =>
  (known) => {
    const [first = ''] = known;
    const index = position < 0 ? -1 - position : first.length - 1 - position;
    const character = first.charAt(index);
    if (isInteger(first) || first.length < SHORTEST_CHANGED) return [];
    if (!/[0-9a-z]/i.test(character)) return [];
    // The check character of an identifier may be hexadecimal, so a letter beyond f becomes another
    // such letter.
    const replacements = /[0-9a-f]/i.test(character) ? ['0', '1', 'a'] : ['x', 'y', 'g'];
    return replacements
      .filter((replacement) => replacement !== character.toLowerCase())
      .map((replacement) => first.slice(0, index) + replacement + first.slice(index + 1))
      .filter((changed) => !known.some((identifier) => isSameInBase64(changed, identifier)))
      .slice(0, 1)
      .map(segmentOf);
  };

/** Whether two texts decode to the same bytes: a service may look users up by these. */
const isSameInBase64 = (left: string, right: string): boolean =>
  Buffer.from(left, 'base64').equals(Buffer.from(right, 'base64'));

const either =
  (first: Segments, second: Segments): Segments =>
  (known) => [...first(known), ...second(known)];

/** Replaces the last character of a long known identifier. */
export const endingWith =
  (ending: string): Segments =>
  (known) => {
    const [first = ''] = known;
    const beginning = first.slice(0, -1);
    if (!/.{11}[0-9a-z]$/i.test(first) || known.includes(beginning)) return [];
    const changed = beginning + ending;
    if (known.some((identifier) => isSameInBase64(changed, identifier))) return [];
    return [segmentOf(changed)];
  };

/** Identifiers of the same form as known ones. */
export const sameForm: Case[] = [
  lookup('an identifier of the same form as known ones', (known) =>
    unknownIdentifiers(known).map(segmentOf),
  ),
  lookup(
    '0',
    ifInteger(() => '0'),
  ),
  lookup(
    '-1',
    ifInteger(() => '-1'),
  ),
  lookup(
    'a known identifier with its last character changed, or plus 2^16',
    either(withCharacterChanged(0), plus(2n ** 16n)),
  ),
  lookup(
    'a known identifier with its first character changed, or plus 10^9',
    either(withCharacterChanged(-1), plus(10n ** 9n)),
  ),
  lookup(
    'a known identifier with a character in the middle changed, or plus 10^6',
    either(withCharacterChanged(10), plus(10n ** 6n)),
  ),
];

/**
 * Requests for one identifier before the first user and at the end: the first request must not
 * create what it requests.
 */
export const aroundTheRun: Case[] = (['before users', 'end'] as const).map((phase) => ({
  name:
    phase === 'end'
      ? 'an unknown UUID at the end of the run'
      : 'an unknown UUID before the first user',
  operation: RETRIEVE,
  isNobodys: true,
  phase,
  change: (usual) => ({
    ...usual,
    path: `${usual.path.replace(/\/users.*$/, '/users')}/f8c3de3d-1fea-4d7c-a8b0-29f63c4c3454`,
  }),
}));

/** Identifiers that no service gives to a user. */
export const odd: Case[] = [
  sentAlone(fixed('the word null', 'null')),
  sentAlone(fixed('the word undefined', 'undefined')),
  sentAlone(fixed('a quote', '%27')),
  sentAlone(fixed('a percent sign', '%25')),
  sentAlone(fixed('a NUL', '%00')),
  sentAlone(fixed('a slash', '%2F')),
  sentAlone(fixed('4,000 letters', 'x'.repeat(4000))),
];

/** Texts that a lookup may read as a pattern, an index or a query. */
const texts: Case[] = [
  fixed('an asterisk', '*'),
  fixed('a dot and an asterisk', '.*'),
  lookup('an index', ([known = '']) => (isInteger(known) ? [] : ['0'])),
  lookup('a known integer plus 2^32', plus(2n ** 32n)),
  fixed('__proto__', '__proto__'),
  fixed('an SQL condition', segmentOf(`0 OR 1=1 -- ' OR '1'='1' -- " OR ""="" -- `)),
  ...['NaN', '{"$gt":""}', '?', '[object Object]', '_', '.+', 'constructor', '\\d+'].map((text) =>
    fixed(show(text), segmentOf(text)),
  ),
];

/** Identifiers close to a known one, which a lookup may find by a pattern, a prefix or rounding. */
const nearlyKnown: Case[] = [
  lookup(
    'the nil UUID, or a known integer plus 2^53, or plus 1 if it is longer than that',
    (known) => {
      const [first = ''] = known;
      if (kindOf(first) === 'UUID') return ['00000000-0000-0000-0000-000000000000'];
      // As a double, an integer of so many digits may equal the next one.
      return plus(/^\d{17,}$/.test(first) ? 1n : 2n ** 53n)(known);
    },
  ),
  lookup('a known identifier without its last character', endingWith('')),
  ...['_', '%', '*'].map((ending) =>
    lookup(`a known identifier with ${ending} for its last character`, endingWith(ending)),
  ),
];

/** Identifiers that a lookup may read as a pattern, an index or a query. */
export const patterns: Case[] = [
  // A lookup that fails may never release its database connection. Sent one by one, the request
  // that used up the pool is known.
  ...texts.map((text): Case => ({ ...text, phase: 'one by one' })),
  ...nearlyKnown,
].map((pattern, index) => {
  const change = index % 2 === 0 ? pattern.change : inTurn(pattern.change, asBrowser);
  return { ...pattern, change };
});

/** One case of each kind, for the negative requests that are followed by valid ones. */
export const unknownKinds = {
  null: odd[0],
  quote: odd[2],
  percent: odd[3],
  nul: odd[4],
  long: odd[6],
  form: sameForm[0],
};
