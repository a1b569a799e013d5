import { show } from '../src/http/value.ts';
import { type Case, type Change, inTurn, RETRIEVE, sentAlone } from '../src/requirement/case.ts';
import { decodeSegment, kindOf, segmentOf, unknownIdentifiers } from '../src/run/identifier.ts';
import { asBrowser } from './free-requests.ts';

/** Makes the path segments of identifiers that belong to nobody; the next if one belongs to a user. */
type Segments = (known: readonly string[]) => string[];

const lookup = (name: string, segments: Segments, more: Partial<Case> = {}): Case => ({
  name,
  operation: RETRIEVE,
  isNobodys: true,
  change: requestsFor(segments),
  ...more,
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

const fixed = (name: string, segment: string, more: Partial<Case> = {}): Case =>
  lookup(name, () => [segment], more);

const isInteger = (text: string) => kindOf(text) === 'integer';

/** Only for integer identifiers. */
const ifInteger =
  (make: (known: string) => string): Segments =>
  ([known = '']) =>
    isInteger(known) ? [make(known)] : [];

/** A known integer plus a step; a number that begins with the known one may be found by a lenient lookup. */
const plus = (step: bigint): Segments =>
  ifInteger((known) => {
    const sum = `${BigInt(known) + step}`;
    return sum.startsWith(known) ? known : sum;
  });

/** Shorter identifiers with a changed character may belong to somebody. */
const LONG = 12;

/** A long known identifier with one character changed, counted from its end, or from its beginning if negative. */
const changed =
  (place: number): Segments =>
  (all) => {
    const [known = ''] = all;
    const at = place < 0 ? -1 - place : known.length - 1 - place;
    const old = known.charAt(at);
    if (isInteger(known) || known.length < LONG || !/[0-9a-z]/i.test(old)) return [];
    // A check character may be hexadecimal: a letter beyond f becomes another letter.
    const replacements = /[0-9a-f]/i.test(old) ? ['0', '1', 'a'] : ['x', 'y', 'g'];
    const others = replacements
      .filter((replacement) => replacement !== old.toLowerCase())
      .map((replacement) => known.slice(0, at) + replacement + known.slice(at + 1));
    return others
      .filter((other) => !all.some((one) => isSameInBase64(other, one)))
      .slice(0, 1)
      .map(segmentOf);
  };

/** Whether two texts decode to the same bytes: a lookup by those is lenient, which is free. */
const isSameInBase64 = (one: string, other: string): boolean =>
  Buffer.from(one, 'base64').equals(Buffer.from(other, 'base64'));

const either =
  (one: Segments, other: Segments): Segments =>
  (known) => [...one(known), ...other(known)];

/** A long known identifier with another end. */
const endingWith =
  (end: string): Segments =>
  (all) => {
    const [known = ''] = all;
    const other = known.slice(0, -1) + end;
    const isLong = /.{11}[0-9a-z]$/i.test(known) && !all.includes(known.slice(0, -1));
    const isUnknown = !all.some((one) => isSameInBase64(other, one));
    return isLong && isUnknown ? [segmentOf(other)] : [];
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
    'a known one with its last character changed, or plus 2^16',
    either(changed(0), plus(2n ** 16n)),
  ),
  lookup(
    'a known one with its first character changed, or plus 10^9',
    either(changed(-1), plus(10n ** 9n)),
  ),
  lookup(
    'a known one with a character in the middle changed, or plus 10^6',
    either(changed(10), plus(10n ** 6n)),
  ),
];

/** Before the first user and at the end, the same identifier: the first request may make what the second one finds. */
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

/** Identifiers that nobody would give to a user. */
export const odd: Case[] = [
  sentAlone(fixed('the word null', 'null')),
  sentAlone(fixed('the word undefined', 'undefined')),
  sentAlone(fixed('a quote', '%27')),
  sentAlone(fixed('a percent sign', '%25')),
  sentAlone(fixed('a NUL', '%00')),
  sentAlone(fixed('a slash', '%2F', { mayBeList: true })),
  sentAlone(fixed('4,000 letters', 'x'.repeat(4000))),
];

/** Identifiers that a lookup may read as a pattern, an index or a query. */
export const patterns: Case[] = [
  fixed('an asterisk', '*'),
  fixed('a dot and an asterisk', '.*'),
  lookup('an index', ([known = '']) => (isInteger(known) ? [] : ['0'])),
  lookup('a known integer plus 2^32', plus(2n ** 32n)),
  fixed('__proto__', '__proto__'),
  fixed('an SQL condition', segmentOf(`0 OR 1=1 -- ' OR '1'='1' -- " OR ""="" -- `)),
  ...['NaN', '{"$gt":""}', '?', '[object Object]', '_', '.+', 'constructor', '\\d+'].map((text) =>
    fixed(show(text), segmentOf(text)),
  ),
  lookup(
    'the nil UUID, or a known integer plus 2^53, or plus 1 if it is longer than that',
    (known) => {
      const [first = ''] = known;
      if (kindOf(first) === 'UUID') return ['00000000-0000-0000-0000-000000000000'];
      // A double takes an integer of so many digits for the next one.
      return plus(/^\d{17,}$/.test(first) ? 1n : 2n ** 53n)(known);
    },
  ),
  lookup('a known one without its last character', endingWith('')),
  ...['_', '%', '*'].map((end) =>
    lookup(`a known one with ${end} for its last character`, endingWith(end)),
  ),
].map((one, at): Case => {
  // A lookup that fails may keep a connection of a pool: then the last one of a pool is known.
  const alone: Case = { ...one, phase: 'one by one' };
  return at % 2 === 0 ? alone : { ...alone, change: inTurn(one.change, asBrowser) };
});

/** Of each kind one, for the negative requests that are followed by valid ones. */
export const unknownKinds = {
  null: odd[0],
  quote: odd[2],
  percent: odd[3],
  nul: odd[4],
  long: odd[6],
  form: sameForm[0],
};
