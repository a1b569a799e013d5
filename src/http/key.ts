import { Buffer } from 'node:buffer';

/**
 * Stands in a request for the API key, as in the interface's `Authorization: Bearer <API_KEY>`. Only the client knows the
 * key and puts it in at the moment of sending, so whatever keeps or prints a request can't leak it.
 */
export const KEY = '<API_KEY>';

/** Stands in a request for the value of a header that the settings name: a secret like the key. */
export const HEADER_VALUE = '<CONFORMANCE_HEADERS>';

/** The key with one character changed into one of its kind: the first is 1, the last -1, the middle 0; a place behind the end counts on from the first. */
export const keyChangedAt = (place: number) => `<API_KEY with character ${place} changed>`;

/** The header of a request with the key. */
export const BEARER = { authorization: `Bearer ${KEY}` };

interface KeyForm {
  mark: RegExp;
  of: (key: string, place: number) => string;
  /** The same value as a POSIX shell expression of the variable API_KEY, for use between double quotes. */
  shell: (place: number) => string;
}

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
const base64 = (text: string) => Buffer.from(text).toString('base64');

function changedAt(key: string, place: number): string {
  const at =
    place === 0
      ? Math.floor(key.length / 2)
      : (((place > 0 ? place - 1 : place) % key.length) + key.length) % key.length;
  return `${key.slice(0, at)}${anotherFor(key.charAt(at))}${key.slice(at + 1)}`;
}

/** A digit for a digit, a letter for a letter or a sign: a comparison may ignore what kind it is, or take a sign for any. */
const anotherFor = (one: string) =>
  /\d/.test(one) ? (one === '7' ? '8' : '7') : /[A-Z]/.test(one) ? (one === 'X' ? 'Y' : 'X') : one === 'x' ? 'y' : 'x';
const ANOTHER_IN_AWK = 'c~/[0-9]/?(c=="7"?"8":"7"):c~/[A-Z]/?(c=="X"?"Y":"X"):(c=="x"?"y":"x")';

/** The same place for awk, which counts from 1. */
const inAwk = (place: number) => (place === 0 ? 'int(n/2)+1' : `((${place > 0 ? place - 1 : place})%n+n)%n+1`);

/** The letters `aeiouyn` with an accent, in both cases. */
const ACCENTS = 'áéíóúýñÁÉÍÓÚÝÑ';

const forms: KeyForm[] = [
  { mark: new RegExp(KEY), of: (key) => key, shell: () => '$API_KEY' },
  {
    mark: /<API_KEY with character (-?\d+) changed>/,
    of: changedAt,
    shell: (place) =>
      awk(`n=length($0);m=${inAwk(place)};c=substr($0,m,1);print substr($0,1,m-1)(${ANOTHER_IN_AWK})substr($0,m+1)`),
  },
];

/** Declares a form of the key by its mark. */
function form(mark: string, of: (key: string) => string, shell: string): string {
  forms.push({ mark: new RegExp(mark), of, shell: () => shell });
  return mark;
}

/** The same by what a program makes of the key on its standard input. */
const piped = (program: string, text = '%s') => `$(printf ${text} "$API_KEY" | ${program})`;
const awk = (program: string) => piped(`awk '{${program}}'`);

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
  basic: form('<base64 of API_KEY and a colon>', (key) => base64(`${key}:`), piped(`base64 | tr -d '\\n'`, '%s:')),
  base64: form('<base64 of API_KEY>', base64, piped(`base64 | tr -d '\\n'`)),
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
  withoutSigns: form('<API_KEY without signs>', (key) => key.replace(/[^a-z0-9]/gi, ''), piped(`tr -cd 'a-zA-Z0-9'`)),
  digits: form('<the digits of API_KEY>', (key) => key.replace(/[^0-9]/g, ''), piped('tr -cd 0-9')),
  backwards: form('<API_KEY backwards>', (key) => [...key].reverse().join(''), piped('rev')),
  otherSigns: form(
    '<API_KEY with _ for - and - for _>',
    (key) => key.replace(/[-_]/g, (one) => (one === '-' ? '_' : '-')),
    piped('sed y/-_/_-/'),
  ),
  caseAtStart: oneCase('<API_KEY with its first letter in swapped case>', 0),
  // Not of the first character, which has a case of its own.
  oneCase: oneCase('<API_KEY with one letter in swapped case>', 1),
  withAccent: form(
    '<API_KEY with an accent>',
    (key) => key.replace(/[aeiouyn]/gi, (one) => ACCENTS.charAt('aeiouynAEIOUYN'.indexOf(one))),
    // As one byte, as it goes out.
    piped(`sed 'y/aeiouynAEIOUYN/${ACCENTS}/' | iconv -t latin1`),
  ),
  neighboursSwapped: form(
    '<API_KEY with two adjacent characters swapped>',
    (key) => key.replace(/(.)(?!\1)(.)/, '$2$1'),
    awk(
      'for(i=1;i<length($0);i++)if(substr($0,i,1)!=substr($0,i+1,1)){print substr($0,1,i-1)substr($0,i+1,1)substr($0,i,1)substr($0,i+2);exit};print',
    ),
  ),
  lastSwapped: form(
    '<API_KEY with its last two swapped>',
    (key) => key.replace(/(.)(.)$/, '$2$1'),
    piped(`sed -E 's/(.)(.)$/\\2\\1/'`),
  ),
  partsTurned: form(
    '<the parts of API_KEY in another order>',
    (key) => key.replace(/^([^-_.]+)([-_.])([^-_.]+)/, '$3$2$1'),
    piped(`sed -E 's/^([^-_.]+)([-_.])([^-_.]+)/\\3\\2\\1/'`),
  ),
  turnedByOne: form(
    '<API_KEY turned by one>',
    (key) => key.replace(/^(.)(.*)$/, '$2$1'),
    piped(`sed -E 's/^(.)(.*)$/\\2\\1/'`),
  ),
  doubleLetter: form(
    '<API_KEY with one character twice>',
    (key) => key.replace(/^(.)(.)/, '$1$2$2'),
    piped(`sed -E 's/^(.)(.)/\\1\\2\\2/'`),
  ),
  ofTests: form('<API_KEY with test for live>', (key) => key.replace('live', 'test'), piped('sed s/live/test/')),
  dotChanged: form('<API_KEY with a letter for its dot>', (key) => key.replace('.', 'x'), piped('sed s/[.]/x/')),
  signChanged: form(
    '<API_KEY with another sign>',
    (key) => key.replace(/[^a-z0-9]/i, 'x'),
    piped('sed s/[^A-Za-z0-9]/x/'),
  ),
};

const anyMark = new RegExp(forms.map(({ mark }) => mark.source.replace('(', '(?:')).join('|'), 'g');

/** Finds the form of a mark, and the place in the key that it names. */
function formOf(mark: string): [form: KeyForm, place: number] {
  const form = forms.find((one) => one.mark.test(mark)) as KeyForm;
  return [form, Number(form.mark.exec(mark)?.[1] ?? 0)];
}

/** Puts the key into a text with marks, each value encoded for its place (a query, a JSON string) by `encode`. */
export function fillIn(text: string, key: string, encode: (value: string) => string = (value) => value): string {
  return text.replace(anyMark, (mark) => {
    const [form, place] = formOf(mark);
    return encode(form.of(key, place));
  });
}

/** Replaces marks by shell expressions; `quote` quotes the text between them, `expression` what a mark becomes. */
export function toShell(text: string, quote: (text: string) => string, expression = (shell: string) => `"${shell}"`) {
  const marks = text.match(anyMark) ?? [];
  return text
    .split(anyMark)
    .map((piece, index) => {
      const mark = marks[index];
      if (mark === undefined) return piece === '' ? '' : quote(piece);
      const [form, place] = formOf(mark);
      return (piece === '' ? '' : quote(piece)) + expression(form.shell(place));
    })
    .join('');
}

/** Says whether a credential that the marks describe differs from the key itself, so that it must be refused. */
export function differsFromKey(text: string, key: string): boolean {
  const filled = fillIn(text, key);
  return filled !== key && filled.trim() !== '';
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

/**
 * Another token than the key, random and of the same shape (letters for letters, digits for digits), so that it is refused
 * for being wrong and not for its form. A key with little to vary gets one that shares nothing with it: reports show this
 * token.
 */
export function wrongKey(key: string): string {
  const pick = (from: string) => from.charAt(Math.floor(Math.random() * from.length));
  if (key.replace(/[^a-z0-9]/gi, '').length < 8) {
    return Array.from({ length: 24 }, () => pick(LOWER + UPPER + DIGITS)).join('');
  }
  const other = key
    .replace(/[a-z]/g, () => pick(LOWER))
    .replace(/[A-Z]/g, () => pick(UPPER))
    .replace(/[0-9]/g, () => pick(DIGITS));
  return other.toLowerCase() === key.toLowerCase() ? wrongKey(key) : other;
}
