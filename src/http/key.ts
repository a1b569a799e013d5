import { Buffer } from 'node:buffer';

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
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

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
      const at = isMiddle ? Math.floor(key.length / 2) : ((index % key.length) + key.length) % key.length;
      return [...key].with(at, other(key.charAt(at))).join('');
    },
    shell: awk(`n=length($0);m=${inAwk};c=substr($0,m,1);print substr($0,1,m-1)(${otherInAwk})substr($0,m+1)`),
  };
}

/**
 * Each makes a value of the key, and is a POSIX shell expression of the variable API_KEY, for use between double
 * quotes.
 */
const forms = new Map([[KEY, { of: (key: string) => key, shell: '$API_KEY' }]]);

/** Declares a form of the key by its mark. */
function form(mark: string, of: (key: string) => string, shell: string): string {
  forms.set(mark, { of, shell });
  return mark;
}

/** The form that a regular expression makes, which JavaScript and sed read alike. */
const replaced = (mark: string, pattern: string, by: string, flags = '') =>
  form(
    mark,
    (key) => key.replace(new RegExp(pattern, flags), by),
    piped(`sed -E 's/${pattern}/${by.replaceAll('$', '\\')}/${flags}'`),
  );

/** The key in base64, with what stands around it. */
const inBase64 = (mark: string, before = '', behind = '') =>
  form(
    mark,
    (key) => Buffer.from(before + key + behind).toString('base64'),
    piped(`base64 | tr -d '\\n'`, `${before}%s${behind}`),
  );

/** The characters of one text replaced by those of another, each of which is one byte as it goes out. */
function translated(mark: string, from: string, to: string): string {
  const [before, after] = [from, to].map((text) =>
    text.replace(/[^ -~]/g, (one) => `\\${one.charCodeAt(0).toString(8)}`),
  );
  const of = (key: string) => key.replace(/./g, (one) => to[from.indexOf(one)] ?? one);
  return form(mark, of, piped(`LC_ALL=C tr -- '${before}' '${after}'`));
}

/** The case of the first letter swapped that stands behind so many characters. */
const oneCase = (mark: string, behind: number) =>
  form(
    mark,
    (key) => key.slice(0, behind) + key.slice(behind).replace(/[a-z]/i, swapCase),
    awk(
      `r=substr($0,${behind + 1});m=match(r,/[A-Za-z]/);c=substr(r,m,1);print substr($0,1,${behind})(m?substr(r,1,m-1)(c==tolower(c)?toupper(c):tolower(c))substr(r,m+1):r)`,
    ),
  );

/** The marks of what is no key, or is written otherwise: some that a careless comparison may take for the key. */
export const keyForm = {
  cutAtEnd: form('<API_KEY without its last character>', (key) => key.slice(0, -1), '${API_KEY%?}'),
  cutAtStart: form('<API_KEY without its first character>', (key) => key.slice(1), '${API_KEY#?}'),
  caseSwapped: form('<API_KEY in swapped case>', swapCase, piped(`tr 'a-zA-Z' 'A-Za-z'`)),
  basic: inBase64('<base64 of API_KEY and a colon>', '', ':'),
  basicPassword: inBase64('<base64 of a colon and API_KEY>', ':'),
  basicUser: inBase64('<base64 of user: and API_KEY>', 'user:'),
  base64: inBase64('<base64 of API_KEY>'),
  percentEncoded: form(
    '<percent-encoded API_KEY>',
    (key) => Buffer.from(key).toString('hex').replaceAll(/../g, '%$&'),
    piped(`od -An -v -tx1 | tr -d '\\n' | tr ' ' '%'`),
  ),
  lookAlike: form(
    '<API_KEY with a look-alike>',
    (key) => key.replace(/[O0]/, (one) => (one === 'O' ? '0' : 'O')),
    awk('m=match($0,/[O0]/);print m?substr($0,1,m-1)(substr($0,m,1)=="O"?"0":"O")substr($0,m+1):$0'),
  ),
  withoutSigns: replaced('<API_KEY without signs>', '[^A-Za-z0-9]', '', 'g'),
  digits: replaced('<the digits of API_KEY>', '[^0-9]', '', 'g'),
  leadingDigits: replaced('<the digits at the beginning of API_KEY>', '^([0-9]+).*$', '$1'),
  backwards: form('<API_KEY backwards>', (key) => [...key].reverse().join(''), piped('rev')),
  otherSigns: translated('<API_KEY with _ for - and - for _>', '-_', '_-'),
  otherAlphabet: translated('<API_KEY in the other base64 alphabet>', '-_+/', '+/-_'),
  caseAtStart: oneCase('<API_KEY with its first letter in swapped case>', 0),
  // Not of the first character, which has a case of its own.
  oneCase: oneCase('<API_KEY with one letter in swapped case>', 1),
  withAccent: translated('<API_KEY with an accent>', 'aeiouynAEIOUYN', 'áéíóúýñÁÉÍÓÚÝÑ'),
  superscript: translated('<API_KEY with superscript characters>', '123ao', '¹²³ªº'),
  fullWidth: form(
    '<API_KEY with a letter in full width>',
    // As UTF-8, of which a header has a character for each byte.
    (key) => key.replace(/[a-z]/, (one) => `\xef\xbd${String.fromCharCode(one.charCodeAt(0) + 0x20)}`),
    piped(
      `LC_ALL=C awk '{m=match($0,/[a-z]/);c=index("abcdefghijklmnopqrstuvwxyz",substr($0,m,1));if(m)printf "%s\\357\\275%c%s",substr($0,1,m-1),128+c,substr($0,m+1);else print}'`,
    ),
  ),
  softHyphen: form(
    '<API_KEY with a soft hyphen>',
    (key) => `${key.slice(0, 1)}\xad${key.slice(1)}`,
    piped(`LC_ALL=C awk '{printf "%s\\255%s",substr($0,1,1),substr($0,2)}'`),
  ),
  zeroBeforeDigits: replaced('<API_KEY with a zero before its first digits>', '([0-9]+)', '0$1'),
  // Behind the middle: the beginning may be compared by itself.
  neighboursSwapped: form(
    '<API_KEY with two adjacent characters swapped>',
    (key) => key.slice(0, key.length >> 1) + key.slice(key.length >> 1).replace(/(.)(?!\1)(.)/, '$2$1'),
    awk(
      'for(i=int(length($0)/2)+1;i<length($0);i++)if(substr($0,i,1)!=substr($0,i+1,1)){print substr($0,1,i-1)substr($0,i+1,1)substr($0,i,1)substr($0,i+2);exit};print',
    ),
  ),
  lastSwapped: replaced('<API_KEY with its last two swapped>', '(.)(.)$', '$2$1'),
  partsTurned: replaced('<the parts of API_KEY in another order>', '^([^-_.]+)([-_.])([^-_.]+)', '$3$2$1'),
  turnedByOne: replaced('<API_KEY turned by one>', '^(.)(.*)$', '$2$1'),
  doubleLetter: replaced('<API_KEY with one character twice>', '^(.)(.)', '$1$2$2'),
  ofTests: replaced('<API_KEY with test for live>', 'live', 'test'),
  dotChanged: replaced('<API_KEY with a letter for its dot>', '[.]', 'x'),
  signChanged: replaced('<API_KEY with another sign>', '[^A-Za-z0-9]', 'x'),
};

/** The form of a mark, which may name a place in the key; undefined of anything else. */
function formOf(mark: string) {
  const [, place] = /^<API_KEY with character (-?\d+) changed>$/.exec(mark) ?? [];
  return place === undefined ? forms.get(mark) : changedAt(Number(place));
}

const MARK = /<[^<>]*API_KEY[^<>]*>/g;

/** Puts the key into a text with marks, each value encoded for its place (a query, a JSON string) by `encode`. */
export function fillIn(text: string, key: string, encode: (value: string) => string = (value) => value): string {
  return text.replace(MARK, (mark) => {
    const form = formOf(mark);
    return form ? encode(form.of(key)) : mark;
  });
}

/** Replaces marks by shell expressions; `quote` quotes the text between them, `expression` what a mark becomes. */
export function toShell(text: string, quote: (text: string) => string, expression = (shell: string) => `"${shell}"`) {
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

/** Characters of which one may stand for another in a key of the same shape. */
const KINDS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];

/**
 * Another token than the key, random and of the same shape (letters for letters, digits for digits), so that it is
 * refused for being wrong and not for its form. A key with little to vary gets one that shares nothing with it: reports
 * show this token.
 */
export function wrongKey(key: string): string {
  const pick = (from: string) => from.charAt(Math.floor(Math.random() * from.length));
  if (key.replace(/[^a-z0-9]/gi, '').length < 8) {
    return Array.from({ length: 24 }, () => pick(KINDS.join(''))).join('');
  }
  const other = key.replace(/[a-z0-9]/gi, (one) => pick(KINDS.find((kind) => kind.includes(one)) as string));
  return other.toLowerCase() === key.toLowerCase() ? wrongKey(key) : other;
}
