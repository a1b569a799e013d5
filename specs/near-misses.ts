import { KEY, keyChangedAt, keyForm } from '../src/http/key.ts';
import { named } from './thorough/words.ts';

/** Authorization headers, with what they are. */
export type Headers = [what: string, header: string][];

const withTokens = (tokens: Headers): Headers => tokens.map(([what, token]) => [what, `Bearer ${token}`]);

/** Keys that a comparison may take for the right one. */
export const NEAR_KEYS = withTokens(named('near-keys'));

/** Words that are there where a key is looked up, or none was set. */
export const LOOKUP_WORDS = withTokens(
  ['constructor', 'undefined', 'toString', 'null'].map((word) => [`the word ${word}`, word]),
);

/** Keys with one character added: of any three in a row one has it in front. */
export const EXTENDED = withTokens(named('extended-keys'));

/**
 * Places within a key: of any three in a row one is its middle, which differs where only the beginning and the end are
 * compared.
 */
const MIDDLE = 0;
const WITHIN = [8, 2, 9, -2, 16, 4, 17, 5, 3, 10, 6, 12, 7, 13, 11, 15, 14, 18, 19, 20].flatMap((place, index) =>
  index % 2 === 0 ? [MIDDLE, place] : [place],
);
export const CHANGED_WITHIN = withTokens(
  WITHIN.map((place) => {
    return [`the key with ${place ? `character ${place}` : 'a character in the middle'} changed`, keyChangedAt(place)];
  }),
);

/** Less common schemes. */
export const SCHEMES: Headers = [
  ...'ApiKey Digest JWT Bear OAuth Bearer2 X-Bearer Key'.split(' ').map((one) => `${one} ${KEY}`),
  `Token token="${KEY}"`,
  `Basic ${keyForm.basicPassword}`,
  `Basic ${keyForm.basicUser}`,
].map((header) => [`the header ${header}`, header]);

/** The scheme is Bearer and the key is there whole, in a header that RFC 6750 does not allow. */
export const SYNTAX: Headers = named('common-header-syntax');
