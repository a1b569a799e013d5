/**
 * Returns the key, or a changed form of it, that a mark means. Curl lines contain the function's own
 * source, so it uses nothing but its arguments and globals. `place` is the number in the mark.
 */
export type KeyForm = (key: string, place: number) => string;

/** Forms of the key by their marks: some that a careless comparison may accept as the key. */
export const FORMS: ReadonlyMap<string, KeyForm> = new Map(
  Object.entries<KeyForm>({
    '<API_KEY>': (key) => key,
    '<API_KEY without its last character>': (key) => key.slice(0, -1),
    '<API_KEY without its first character>': (key) => key.slice(1),
    '<API_KEY backwards>': (key) => [...key].reverse().join(''),

    '<base64 of API_KEY>': (key) => btoa(key),
    '<base64 of API_KEY and a colon>': (key) => btoa(`${key}:`),
    '<base64 of a colon and API_KEY>': (key) => btoa(`:${key}`),
    '<base64 of user: and API_KEY>': (key) => btoa(`user:${key}`),
    '<percent-encoded API_KEY>': (key) =>
      key.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),

    // The case of a letter is the sixth bit of its code.
    '<API_KEY in swapped case>': (key) =>
      key.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 32)),
    '<API_KEY with its first letter in swapped case>': (key) =>
      key.replace(/[a-z]/i, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 32)),
    // The first letter is covered by the form above.
    '<API_KEY with one letter in swapped case>': (key) =>
      key.replace(/(?<=.)[a-z]/i, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 32)),

    '<API_KEY with _ for - and - for _>': (key) =>
      key.replace(/[-_]/g, (sign) => (sign === '-' ? '_' : '-')),
    '<API_KEY in the other base64 alphabet>': (key) =>
      key.replace(/[-_+/]/g, (sign) => '+/-_'.charAt('-_+/'.indexOf(sign))),
    '<API_KEY with an accent>': (key) =>
      key.replace(/[aeiouyn]/gi, (sign) => 'áéíóúýñÁÉÍÓÚÝÑ'.charAt('aeiouynAEIOUYN'.indexOf(sign))),
    '<API_KEY with superscript characters>': (key) =>
      key.replace(/[123ao]/g, (sign) => '¹²³ªº'.charAt('123ao'.indexOf(sign))),

    '<API_KEY without signs>': (key) => key.replace(/[^A-Za-z0-9]/g, ''),
    '<API_KEY with another sign>': (key) => key.replace(/[^A-Za-z0-9]/, 'x'),
    '<API_KEY with a letter for its dot>': (key) => key.replace('.', 'x'),
    '<API_KEY with test for live>': (key) => key.replace('live', 'test'),
    '<the digits of API_KEY>': (key) => key.replace(/[^0-9]/g, ''),
    '<the digits at the beginning of API_KEY>': (key) => key.replace(/^([0-9]+).*$/, '$1'),
    '<API_KEY with a zero before its first digits>': (key) => key.replace(/[0-9]/, '0$&'),
    '<API_KEY with its last two swapped>': (key) => key.replace(/(.)(.)$/, '$2$1'),
    '<API_KEY turned by one>': (key) => key.slice(1) + key.slice(0, 1),
    '<API_KEY with one character twice>': (key) => key.replace(/^(.)(.)/, '$1$2$2'),
    '<the parts of API_KEY in another order>': (key) =>
      key.replace(/^([^-_.]+)([-_.])([^-_.]+)/, '$3$2$1'),
    // The JSON of the header is {"alg":"none","typ":"JWT"}.
    '<API_KEY with the algorithm none>': (key) =>
      key.replace(/^[^.]+\.([^.]+)\.[^.]+$/, 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.$1.'),

    '<API_KEY with a look-alike>': (key) =>
      key.replace(/[O0]/, (sign) => (sign === 'O' ? '0' : 'O')),
    // A header has a character for each byte of UTF-8.
    '<API_KEY with a letter in full width>': (key) =>
      key.replace(/[a-z]/, (sign) => `\xef\xbd${String.fromCharCode(sign.charCodeAt(0) + 32)}`),
    '<API_KEY with a soft hyphen>': (key) => `${key.slice(0, 1)}\xad${key.slice(1)}`,
    // After the middle, because a service may compare the beginning by itself.
    '<API_KEY with two adjacent characters swapped>': (key) =>
      key.slice(0, key.length >> 1) + key.slice(key.length >> 1).replace(/(.)(?!\1)(.)/, '$2$1'),

    // An underscore matches any character in SQL's LIKE.
    '<API_KEY with character 0 changed>': (key) =>
      key.replace(/./g, (sign, index) => {
        if (index !== key.length >> 1) return sign;
        return sign === '_' ? 'x' : '_';
      }),
  }),
);

/**
 * Replaces the letter or digit at a place by its neighbour of the same kind, because a comparison
 * may ignore the kind, and a decoder of base64 the last bit. Replaces any other character by a
 * letter, because a comparison may accept any of them.
 */
export const withChange: KeyForm = (key, place) => {
  const index = place > 0 ? (place - 1) % key.length : key.length - 1 - ((-place - 1) % key.length);
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const changed = digits[digits.indexOf(key.charAt(index)) ^ 1] ?? 'x';
  return key.slice(0, index) + changed + key.slice(index + 1);
};
