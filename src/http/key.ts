import { Buffer } from 'node:buffer';
import { linesOf } from './lists.ts';

/**
 * Stands in a request for the API key, as in the interface's `Authorization: Bearer <API_KEY>`. Only the client knows
 * the key and puts it in at the moment of sending, so whatever keeps or prints a request can't leak it.
 */
export const KEY = '<API_KEY>';

/** Stands in a request for the value of a header that the settings name: a secret like the key. */
export const HEADER_VALUE = '<CONFORMANCE_HEADERS>';

/**
 * The key with one character changed into one of its kind: the first is 1, the last -1, the middle 0; a place behind
 * the end counts on from the first.
 */
export const keyChangedAt = (place: number) => `<API_KEY with character ${place} changed>`;

/** The header of a request with the key. */
export const BEARER = { authorization: `Bearer ${KEY}` };

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** What a program makes of the key on its standard input. */
const piped = (program: string, text = '%s') => `$(printf ${text} "$API_KEY" | ${program})`;
const awk = (program: string) => piped(`awk '{${program}}'`);

/** In the order of base64: a decoder takes two neighbours for one where their last bit is not used. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/**
 * The neighbour of the same kind, a letter for a sign: a comparison may ignore what kind it is, or take a sign for
 * any.
 */
const anotherFor = (one: string) => DIGITS[DIGITS.indexOf(one) ^ 1] ?? 'x';
const ANOTHER_IN_AWK = `(i=index("${DIGITS}",c))?substr("${DIGITS}",i%2?i+1:i-1,1):"x"`;
/** In SQL's LIKE, an underscore stands for any character. */
const anyFor = (one: string) => (one === '_' ? 'x' : '_');
const ANY_IN_AWK = 'c=="_"?"x":"_"';

/** The form of `keyChangedAt`. awk counts from 1. */
function changedAt(place: number) {
  const isMiddle = place === 0;
  const index = place > 0 ? place - 1 : place;
  const [other, otherInAwk] = isMiddle ? [anyFor, ANY_IN_AWK] : [anotherFor, ANOTHER_IN_AWK];
  const inAwk = isMiddle ? 'int(n/2)+1' : `((${index})%n+n)%n+1`;
  return {
    of: (key: string) => {
      const at = isMiddle
        ? Math.floor(key.length / 2)
        : ((index % key.length) + key.length) % key.length;
      return [...key].with(at, other(key.charAt(at))).join('');
    },
    shell: awk(
      `n=length($0);m=${inAwk};c=substr($0,m,1);print substr($0,1,m-1)(${otherInAwk})substr($0,m+1)`,
    ),
  };
}

/** A function makes a value of the key, and so does a POSIX shell expression, for use between double quotes. */
type Form = ReturnType<typeof changedAt>;

/** What a program of a shell makes of the key, by its argument. */
const BY_PROGRAM: Record<string, (argument: string) => Form> = {
  /** A substitution, whose regular expression JavaScript and sed read alike. */
  sed: (substitution) => {
    const [, pattern = '', by = '', flags] = substitution.split('/');
    return {
      of: (key) => key.replace(new RegExp(pattern, flags), by.replaceAll('\\', '$')),
      shell: piped(`sed -E '${substitution}'`),
    };
  },
  /** The characters of one text replaced by those of another, each of which is one byte as it goes out. */
  tr: (texts) => {
    const [from = '', to = ''] = texts.split(' ');
    const inAscii = (text: string) =>
      text.replace(/[^ -~]/g, (one) => `\\${one.charCodeAt(0).toString(8)}`);
    return {
      of: (key) => key.replace(/./g, (one) => to[from.indexOf(one)] ?? one),
      shell: piped(`LC_ALL=C tr -- '${inAscii(from)}' '${inAscii(to)}'`),
    };
  },
  /** With what stands around the key, as printf takes it. */
  base64: (format) => ({
    of: (key) => Buffer.from(format.replace('%s', () => key)).toString('base64'),
    shell: piped(`base64 | tr -d '\\n'`, format),
  }),
};

/** The case of the first letter swapped that stands behind so many characters. */
const oneCase = (behind: number): Form => ({
  of: (key) => key.slice(0, behind) + key.slice(behind).replace(/[a-z]/i, swapCase),
  shell: awk(
    `r=substr($0,${behind + 1});m=match(r,/[A-Za-z]/);c=substr(r,m,1);print substr($0,1,${behind})(m?substr(r,1,m-1)(c==tolower(c)?toupper(c):tolower(c))substr(r,m+1):r)`,
  ),
});

/** Marks of what is no key, or is written otherwise: some that a careless comparison may take for the key. */
const FORMS = new Map<string, Form>(
  Object.entries({
    [KEY]: { of: (key) => key, shell: '$API_KEY' },
    '<API_KEY without its last character>': {
      of: (key) => key.slice(0, -1),
      shell: '${API_KEY%?}',
    },
    '<API_KEY without its first character>': { of: (key) => key.slice(1), shell: '${API_KEY#?}' },
    '<API_KEY in swapped case>': { of: swapCase, shell: piped(`tr 'a-zA-Z' 'A-Za-z'`) },
    '<percent-encoded API_KEY>': {
      of: (key) => Buffer.from(key).toString('hex').replaceAll(/../g, '%$&'),
      shell: piped(`od -An -v -tx1 | tr -d '\\n' | tr ' ' '%'`),
    },
    '<API_KEY with a look-alike>': {
      of: (key) => key.replace(/[O0]/, (one) => (one === 'O' ? '0' : 'O')),
      shell: awk(
        'm=match($0,/[O0]/);print m?substr($0,1,m-1)(substr($0,m,1)=="O"?"0":"O")substr($0,m+1):$0',
      ),
    },
    '<API_KEY backwards>': { of: (key) => [...key].reverse().join(''), shell: piped('rev') },
    '<API_KEY with its first letter in swapped case>': oneCase(0),
    // Not of the first character, which has a case of its own.
    '<API_KEY with one letter in swapped case>': oneCase(1),
    '<API_KEY with a letter in full width>': {
      // As UTF-8, of which a header has a character for each byte.
      of: (key) =>
        key.replace(/[a-z]/, (one) => `\xef\xbd${String.fromCharCode(one.charCodeAt(0) + 0x20)}`),
      shell: piped(
        `LC_ALL=C awk '{m=match($0,/[a-z]/);c=index("abcdefghijklmnopqrstuvwxyz",substr($0,m,1));if(m)printf "%s\\357\\275%c%s",substr($0,1,m-1),128+c,substr($0,m+1);else print}'`,
      ),
    },
    '<API_KEY with a soft hyphen>': {
      of: (key) => `${key.slice(0, 1)}\xad${key.slice(1)}`,
      shell: piped(`LC_ALL=C awk '{printf "%s\\255%s",substr($0,1,1),substr($0,2)}'`),
    },
    // Behind the middle: the beginning may be compared by itself.
    '<API_KEY with two adjacent characters swapped>': {
      of: (key) =>
        key.slice(0, key.length >> 1) + key.slice(key.length >> 1).replace(/(.)(?!\1)(.)/, '$2$1'),
      shell: awk(
        'for(i=int(length($0)/2)+1;i<length($0);i++)if(substr($0,i,1)!=substr($0,i+1,1)){print substr($0,1,i-1)substr($0,i+1,1)substr($0,i,1)substr($0,i+2);exit};print',
      ),
    },
  }),
);

/** A mark, a program and its argument. */
for (const line of linesOf('key-forms')) {
  const [, mark = '', program = '', argument = ''] = /^(<.*>) (\w+) (.*)$/.exec(line) ?? [];
  FORMS.set(mark, BY_PROGRAM[program]?.(argument) as Form);
}

/** The form of a mark, which may name a place in the key; undefined of anything else. */
function formOf(mark: string) {
  const [, place] = /^<API_KEY with character (-?\d+) changed>$/.exec(mark) ?? [];
  return place === undefined ? FORMS.get(mark) : changedAt(Number(place));
}

const MARK = /<[^<>]*API_KEY[^<>]*>/g;

/** Puts the key into a text with marks, each value encoded for its place (a query, a JSON string) by `encode`. */
export function fillIn(
  text: string,
  key: string,
  encode: (value: string) => string = (value) => value,
): string {
  return text.replace(MARK, (mark) => {
    const form = formOf(mark);
    return form ? encode(form.of(key)) : mark;
  });
}

/** Replaces marks by shell expressions; `quote` quotes the text between them, `expression` what a mark becomes. */
export function toShell(
  text: string,
  quote: (text: string) => string,
  expression = (shell: string) => `"${shell}"`,
) {
  const pieces = text.split(new RegExp(`(${MARK.source})`)).map((piece) => {
    const form = formOf(piece);
    return form ? expression(form.shell) : piece && quote(piece);
  });
  return pieces.join('');
}

/** Says whether a credential that the marks describe differs from the key itself, so that it must be refused. */
export function differsFromKey(text: string, key: string): boolean {
  const filled = fillIn(text, key);
  return filled !== key && filled.trim() !== '';
}

/** The parts of a JWT (RFC 7519 section 3): header and claims as they are signed, and the signature. */
const JWT = /^(eyJ[\w-]+\.[\w-]+)\.([^.]+)$/;

/**
 * Whether the key is a JWT and a token that the marks describe is another spelling of it: the signature decodes to the
 * same bytes, as base64 has unused bits at its end and two alphabets (RFC 4648 sections 3.5 and 5).
 */
export function isSameSignature(text: string, key: string): boolean {
  const [, signed, signature = ''] = JWT.exec(key) ?? [];
  const [, otherSigned, otherSignature = ''] = JWT.exec(fillIn(text, key)) ?? [];
  if (signed === undefined || signed !== otherSigned) return false;
  // As most decoders do, Buffer takes both alphabets and passes over other characters.
  return Buffer.from(signature, 'base64').equals(Buffer.from(otherSignature, 'base64'));
}

/** Characters of which one may stand for another in a key of the same shape. */
const KINDS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];

/**
 * Another token than the key, of the same shape (letters for letters, digits for digits), so that it is refused for
 * being wrong and not for its form. Its characters follow from their places alone: reports show this token, and it
 * tells nothing of the key but its shape. A key with few letters and digits gets a token that shares nothing with it.
 *
 * @param key the API key
 * @param start moves the characters: the next one is taken where a key happens to equal the token
 */
export function wrongKey(key: string, start = 3): string {
  const pick = (from: string, place: number) =>
    from.charAt((start + place * (place + 7)) % from.length);
  if (key.replace(/[^a-z0-9]/gi, '').length < 8) {
    return Array.from({ length: 24 }, (_, place) => pick(KINDS.join(''), place)).join('');
  }
  const other = key.replace(/[a-z0-9]/gi, (one, place: number) =>
    pick(KINDS.find((kind) => kind.includes(one)) as string, place),
  );
  return other.toLowerCase() === key.toLowerCase() ? wrongKey(key, start + 1) : other;
}
