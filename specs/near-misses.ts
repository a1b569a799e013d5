import { KEY, keyChangedAt, keyForm } from '../src/http/key.ts';

/** An Authorization header, by what it is. */
type Headers = Record<string, string>;

const withTokens = (tokens: [what: string, token: string][]): Headers =>
  Object.fromEntries(tokens.map(([what, token]) => [what, `Bearer ${token}`]));

/** Keys that a comparison may take for the right one. */
export const NEAR_KEYS = withTokens([
  ['the key with its last two characters swapped', keyForm.lastSwapped],
  ['the key with one character twice', keyForm.doubleLetter],
  ['the key with _ for - and - for _', keyForm.otherSigns],
  ['the parts of the key in another order', keyForm.partsTurned],
  ['the key with test for live', keyForm.ofTests],
  ['the key backwards', keyForm.backwards],
  ['the key turned by one', keyForm.turnedByOne],
  ['the key with a letter for its first sign', keyForm.signChanged],
  ['the word toString', 'toString'],
  ['the word null', 'null'],
]);

/** Keys with one character added. */
export const EXTENDED = withTokens([
  ['the key with an x behind it', `${KEY}x`],
  ['the key with an equals sign behind it', `${KEY}=`],
  ['the key with a zero before it', `0${KEY}`],
  ['the key with a dot behind it', `${KEY}.`],
  ['the key with a zero behind it', `${KEY}0`],
  ['the key with a hyphen behind it', `${KEY}-`],
  ['the key with a semicolon behind it', `${KEY};`],
]);

/** Places within a key: of any three in a row one is its middle, which differs where only the beginning and the end are compared. */
const MIDDLE = 0;
const WITHIN = [8, 2, 9, -2, 16, 4, 17, 5, 3, 10, 6, 12, 7, 13, 11, 15, 14, 18, 19, 20].flatMap((place, index) =>
  index % 2 === 0 ? [MIDDLE, place] : [place],
);
export const CHANGED_WITHIN = withTokens(
  WITHIN.map((place) => {
    return [
      `the key with ${place ? `its character ${place}` : 'a character in the middle'} changed`,
      keyChangedAt(place),
    ];
  }),
);

/** Schemes that are less usual. */
export const SCHEMES: Headers = Object.fromEntries(
  [
    ...'ApiKey Digest JWT Bear OAuth Bearer2 X-Bearer Key'.split(' ').map((one) => `${one} ${KEY}`),
    `Token token="${KEY}"`,
  ].map((header) => [`the header ${header}`, header]),
);

/** The scheme is Bearer and the key is there whole, in a header that RFC 6750 does not allow. */
export const SYNTAX: Headers = {
  'no space after the scheme': `Bearer${KEY}`,
  'a colon after the scheme': `Bearer: ${KEY}`,
  'an equals sign after the scheme': `Bearer=${KEY}`,
  'the key percent-encoded': `Bearer ${keyForm.percentEncoded}`,
  'the key in quotes': `Bearer "${KEY}"`,
  'the key in base64': `Bearer ${keyForm.base64}`,
  'a word before the key': `Bearer token ${KEY}`,
  'a word behind the key': `Bearer ${KEY} token`,
  'another credential and a comma before': `Basic eDp5, Bearer ${KEY}`,
};
