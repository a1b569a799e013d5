import { Buffer } from 'node:buffer';
import { linesOf } from './lists.ts';

/**
 * The mark for the API key in a request, as in the interface's `Authorization: Bearer <API_KEY>`.
 * The client inserts the key just before it sends the request, so a stored or printed request can't
 * leak it.
 */
export const KEY = '<API_KEY>';

/** The mark for the value of a header of the settings, which is a secret like the key. */
export const HEADER_VALUE = '<CONFORMANCE_HEADERS>';

/**
 * Returns the mark for the key with one character changed into another of its kind. The first
 * character is 1, the last -1, the middle 0. A place after the end continues with the first.
 */
export const keyChangedAt = (place: number): string => `<API_KEY with character ${place} changed>`;

/** The Authorization header with the key. */
export const BEARER = { authorization: `Bearer ${KEY}` };

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** A form of the key that a mark stands for. */
interface KeyForm {
  /** Returns the value for a key. */
  valueOf: (key: string) => string;
  /** The same as a POSIX shell expression, for use between double quotes. */
  shell: string;
}

/** Returns a shell expression that pipes the key into a program. */
const piped = (program: string, format = '%s') => `$(printf ${format} "$API_KEY" | ${program})`;
const awk = (program: string) => piped(`awk '{${program}}'`);

/**
 * Digits of base64, in order. A decoder takes two neighbours for the same digit if it ignores their
 * last bit.
 */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A replacement of one character, in JavaScript and as an expression of awk on `c`. */
interface Replacement {
  replace: (character: string) => string;
  awk: string;
}

/**
 * Replaces a letter or digit by its neighbour of the same kind, because a comparison may ignore the
 * kind. Replaces any other character by a letter, because a comparison may accept any of them.
 */
const BY_NEIGHBOUR: Replacement = {
  replace: (character) => DIGITS[DIGITS.indexOf(character) ^ 1] ?? 'x',
  awk: `(i=index("${DIGITS}",c))?substr("${DIGITS}",i%2?i+1:i-1,1):"x"`,
};

/** Replaces a character by an underscore, which stands for any character in SQL's LIKE. */
const BY_UNDERSCORE: Replacement = {
  replace: (character) => (character === '_' ? 'x' : '_'),
  awk: 'c=="_"?"x":"_"',
};

/** Returns the form of `keyChangedAt`. */
function changedForm(place: number): KeyForm {
  const isMiddle = place === 0;
  const replacement = isMiddle ? BY_UNDERSCORE : BY_NEIGHBOUR;
  const index = place > 0 ? place - 1 : place;
  const indexIn = (key: string) =>
    isMiddle ? Math.floor(key.length / 2) : ((index % key.length) + key.length) % key.length;
  // awk counts from 1.
  const indexInAwk = isMiddle ? 'int(n/2)+1' : `((${index})%n+n)%n+1`;
  return {
    valueOf: (key) => {
      const at = indexIn(key);
      return [...key].with(at, replacement.replace(key.charAt(at))).join('');
    },
    shell: awk(
      `n=length($0);m=${indexInAwk};c=substr($0,m,1);print substr($0,1,m-1)(${replacement.awk})substr($0,m+1)`,
    ),
  };
}

/** Forms of the key that a shell program makes, by the argument of the program. */
const FORMS_BY_PROGRAM: Record<string, (argument: string) => KeyForm> = {
  /** A substitution. JavaScript and sed read its regular expression alike. */
  sed: (substitution) => {
    const [, pattern = '', replacement = '', flags] = substitution.split('/');
    return {
      valueOf: (key) => key.replace(new RegExp(pattern, flags), replacement.replaceAll('\\', '$')),
      shell: piped(`sed -E '${substitution}'`),
    };
  },
  /** Characters and their replacements. Each is sent as one byte. */
  tr: (texts) => {
    const [from = '', to = ''] = texts.split(' ');
    return {
      valueOf: (key) => key.replace(/./g, (character) => to[from.indexOf(character)] ?? character),
      shell: piped(`LC_ALL=C tr -- '${inOctal(from)}' '${inOctal(to)}'`),
    };
  },
  /** The text that is encoded, as a format of printf. */
  base64: (format) => ({
    valueOf: (key) => Buffer.from(format.replace('%s', () => key)).toString('base64'),
    shell: piped(`base64 | tr -d '\\n'`, format),
  }),
};

/** Writes characters beyond ASCII in octal, as tr takes them. */
const inOctal = (text: string): string =>
  text.replace(/[^ -~]/g, (character) => `\\${character.charCodeAt(0).toString(8)}`);

/** Returns a form in which the first letter after so many characters has its case swapped. */
const oneCaseSwapped = (offset: number): KeyForm => ({
  valueOf: (key) => key.slice(0, offset) + key.slice(offset).replace(/[a-z]/i, swapCase),
  shell: awk(
    `r=substr($0,${offset + 1});m=match(r,/[A-Za-z]/);c=substr(r,m,1);print substr($0,1,${offset})(m?substr(r,1,m-1)(c==tolower(c)?toupper(c):tolower(c))substr(r,m+1):r)`,
  ),
});

/** Forms of the key by their marks: some that a careless comparison may accept as the key. */
const FORMS = new Map<string, KeyForm>(
  Object.entries({
    [KEY]: { valueOf: (key) => key, shell: '$API_KEY' },
    '<API_KEY without its last character>': {
      valueOf: (key) => key.slice(0, -1),
      shell: '${API_KEY%?}',
    },
    '<API_KEY without its first character>': {
      valueOf: (key) => key.slice(1),
      shell: '${API_KEY#?}',
    },
    '<API_KEY in swapped case>': { valueOf: swapCase, shell: piped(`tr 'a-zA-Z' 'A-Za-z'`) },
    '<percent-encoded API_KEY>': {
      valueOf: (key) => Buffer.from(key).toString('hex').replaceAll(/../g, '%$&'),
      shell: piped(`od -An -v -tx1 | tr -d '\\n' | tr ' ' '%'`),
    },
    '<API_KEY with a look-alike>': {
      valueOf: (key) => key.replace(/[O0]/, (character) => (character === 'O' ? '0' : 'O')),
      shell: awk(
        'm=match($0,/[O0]/);print m?substr($0,1,m-1)(substr($0,m,1)=="O"?"0":"O")substr($0,m+1):$0',
      ),
    },
    '<API_KEY backwards>': {
      valueOf: (key) => [...key].reverse().join(''),
      shell: piped('rev'),
    },
    '<API_KEY with its first letter in swapped case>': oneCaseSwapped(0),
    // The first letter has a form of its own.
    '<API_KEY with one letter in swapped case>': oneCaseSwapped(1),
    '<API_KEY with a letter in full width>': {
      // A header has a character for each byte of UTF-8.
      valueOf: (key) =>
        key.replace(
          /[a-z]/,
          (letter) => `\xef\xbd${String.fromCharCode(letter.charCodeAt(0) + 0x20)}`,
        ),
      shell: piped(
        `LC_ALL=C awk '{m=match($0,/[a-z]/);c=index("abcdefghijklmnopqrstuvwxyz",substr($0,m,1));if(m)printf "%s\\357\\275%c%s",substr($0,1,m-1),128+c,substr($0,m+1);else print}'`,
      ),
    },
    '<API_KEY with a soft hyphen>': {
      valueOf: (key) => `${key.slice(0, 1)}\xad${key.slice(1)}`,
      shell: piped(`LC_ALL=C awk '{printf "%s\\255%s",substr($0,1,1),substr($0,2)}'`),
    },
    '<API_KEY with two adjacent characters swapped>': {
      // After the middle, because a service may compare the beginning by itself.
      valueOf: (key) => {
        const middle = key.length >> 1;
        return key.slice(0, middle) + key.slice(middle).replace(/(.)(?!\1)(.)/, '$2$1');
      },
      shell: awk(
        'for(i=int(length($0)/2)+1;i<length($0);i++)if(substr($0,i,1)!=substr($0,i+1,1)){print substr($0,1,i-1)substr($0,i+1,1)substr($0,i,1)substr($0,i+2);exit};print',
      ),
    },
  }),
);

// Each line of the file has a mark, a program and its argument.
for (const line of linesOf('key-forms')) {
  const [, mark = '', program = '', argument = ''] = /^(<.*>) (\w+) (.*)$/.exec(line) ?? [];
  const form = FORMS_BY_PROGRAM[program]?.(argument);
  if (form) FORMS.set(mark, form);
}

/** Returns the form of a mark, which may name a place in the key. */
function formOf(mark: string): KeyForm | undefined {
  const [, place] = /^<API_KEY with character (-?\d+) changed>$/.exec(mark) ?? [];
  return place === undefined ? FORMS.get(mark) : changedForm(Number(place));
}

const MARK = /<[^<>]*API_KEY[^<>]*>/g;

/** Replaces marks by values of the key. `encode` encodes each for its place, such as a query. */
export function fillIn(
  text: string,
  key: string,
  encode: (value: string) => string = (value) => value,
): string {
  return text.replace(MARK, (mark) => {
    const form = formOf(mark);
    return form ? encode(form.valueOf(key)) : mark;
  });
}

/**
 * Replaces marks by shell expressions. `quote` quotes the text between them, and `expression` an
 * expression.
 */
export function toShell(
  text: string,
  quote: (text: string) => string,
  expression = (shell: string) => `"${shell}"`,
): string {
  const pieces = text.split(new RegExp(`(${MARK.source})`)).map((piece) => {
    const form = formOf(piece);
    return form ? expression(form.shell) : piece && quote(piece);
  });
  return pieces.join('');
}

/** Whether a credential, written with marks, differs from the key, so that it must be rejected. */
export function differsFromKey(text: string, key: string): boolean {
  const credential = fillIn(text, key);
  return credential !== key && credential.trim() !== '';
}

/** The signed part of a JWT (RFC 7519 section 3), which is header and claims, and the signature. */
const JWT = /^(eyJ[\w-]+\.[\w-]+)\.([^.]+)$/;

/**
 * Whether the key is a JWT and a token, written with marks, is another spelling of it: the
 * signature decodes to the same bytes, as base64 has unused bits at its end and two alphabets (RFC
 * 4648 sections 3.5 and 5).
 */
export function isSameSignature(text: string, key: string): boolean {
  const [, signed, signature = ''] = JWT.exec(key) ?? [];
  const [, signedInToken, signatureInToken = ''] = JWT.exec(fillIn(text, key)) ?? [];
  if (signed === undefined || signed !== signedInToken) return false;
  // Like most decoders, Buffer accepts both alphabets and ignores other characters.
  const bytes = Buffer.from(signature, 'base64');
  return bytes.equals(Buffer.from(signatureInToken, 'base64'));
}

/** Kinds of characters. In a key of the same shape, a character stands for one of its kind. */
const KINDS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];

/** The fewest letters and digits of a key whose shape a wrong key copies. */
const LEAST_SHAPE = 8;

const WRONG_KEY_LENGTH = 24;

/**
 * Returns a wrong key of the same shape (letters for letters, digits for digits), so that a service
 * can't reject it for its form. Each character depends on its place alone, because reports show
 * this token: it reveals nothing of the key but its shape. A key with few letters and digits gets a
 * token of another shape.
 *
 * @param key the API key
 * @param start moves the characters; the next start is tried if the token equals the key
 */
export function wrongKey(key: string, start = 3): string {
  const pick = (kind: string, place: number) =>
    kind.charAt((start + place * (place + 7)) % kind.length);
  if (key.replace(/[^a-z0-9]/gi, '').length < LEAST_SHAPE) {
    const all = KINDS.join('');
    return Array.from({ length: WRONG_KEY_LENGTH }, (_, place) => pick(all, place)).join('');
  }
  const token = key.replace(/[a-z0-9]/gi, (character, place: number) => {
    const kind = KINDS.find((characters) => characters.includes(character)) ?? '';
    return pick(kind, place);
  });
  const isEqual = token.toLowerCase() === key.toLowerCase();
  return isEqual ? wrongKey(key, start + 1) : token;
}
