import { Buffer } from 'node:buffer';

/** The key, or a changed form of it, that a mark means. */
export interface KeyForm {
  /** Returns the value for a key. */
  valueOf: (key: string) => string;
  /** The same as a POSIX shell expression, for use between double quotes. */
  shell: string;
}

/** Forms of the key by their marks: some that a careless comparison may accept as the key. */
export const FORMS: ReadonlyMap<string, KeyForm> = new Map(
  Object.entries<KeyForm>({
    '<API_KEY>': { valueOf: (key) => key, shell: '$API_KEY' },
    '<API_KEY without its last character>': {
      valueOf: (key) => key.slice(0, -1),
      shell: '${API_KEY%?}',
    },
    '<API_KEY without its first character>': {
      valueOf: (key) => key.slice(1),
      shell: '${API_KEY#?}',
    },
    '<API_KEY backwards>': {
      valueOf: (key) => [...key].reverse().join(''),
      shell: pipe('rev'),
    },

    '<base64 of API_KEY>': base64Of((key) => key),
    '<base64 of API_KEY and a colon>': base64Of((key) => `${key}:`),
    '<base64 of a colon and API_KEY>': base64Of((key) => `:${key}`),
    '<base64 of user: and API_KEY>': base64Of((key) => `user:${key}`),
    '<percent-encoded API_KEY>': {
      valueOf: (key) => Buffer.from(key).toString('hex').replaceAll(/../g, '%$&'),
      shell: pipe(`od -An -v -tx1 | tr -d '\\n' | tr ' ' '%'`),
    },

    '<API_KEY in swapped case>': { valueOf: swapCase, shell: pipe(`tr 'a-zA-Z' 'A-Za-z'`) },
    '<API_KEY with its first letter in swapped case>': swapCaseAfter(0),
    // The first letter has a form of its own.
    '<API_KEY with one letter in swapped case>': swapCaseAfter(1),

    '<API_KEY with _ for - and - for _>': translate('-_', '_-'),
    '<API_KEY in the other base64 alphabet>': translate('-_+/', '+/-_'),
    '<API_KEY with an accent>': translate('aeiouynAEIOUYN', 'áéíóúýñÁÉÍÓÚÝÑ'),
    '<API_KEY with superscript characters>': translate('123ao', '¹²³ªº'),

    '<API_KEY without signs>': substitute(/[^A-Za-z0-9]/g, ''),
    '<API_KEY with another sign>': substitute(/[^A-Za-z0-9]/, 'x'),
    '<API_KEY with a letter for its dot>': substitute(/[.]/, 'x'),
    '<API_KEY with test for live>': substitute(/live/, 'test'),
    '<the digits of API_KEY>': substitute(/[^0-9]/g, ''),
    '<the digits at the beginning of API_KEY>': substitute(/^([0-9]+).*$/, '$1'),
    '<API_KEY with a zero before its first digits>': substitute(/([0-9]+)/, '0$1'),
    '<API_KEY with its last two swapped>': substitute(/(.)(.)$/, '$2$1'),
    '<API_KEY turned by one>': substitute(/^(.)(.*)$/, '$2$1'),
    '<API_KEY with one character twice>': substitute(/^(.)(.)/, '$1$2$2'),
    '<the parts of API_KEY in another order>': substitute(/^([^-_.]+)([-_.])([^-_.]+)/, '$3$2$1'),
    // The JSON of the header is {"alg":"none","typ":"JWT"}.
    '<API_KEY with the algorithm none>': substitute(
      /^[^.]+\.([^.]+)\.[^.]+$/,
      'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.$1.',
    ),

    '<API_KEY with a look-alike>': {
      valueOf: (key) => key.replace(/[O0]/, (character) => (character === 'O' ? '0' : 'O')),
      shell: awk(
        'm=match($0,/[O0]/)',
        'print m?substr($0,1,m-1)(substr($0,m,1)=="O"?"0":"O")substr($0,m+1):$0',
      ),
    },
    '<API_KEY with a letter in full width>': {
      // A header has a character for each byte of UTF-8.
      valueOf: (key) =>
        key.replace(
          /[a-z]/,
          (letter) => `\xef\xbd${String.fromCharCode(letter.charCodeAt(0) + 0x20)}`,
        ),
      shell: bytewiseAwk(
        'm=match($0,/[a-z]/)',
        'c=index("abcdefghijklmnopqrstuvwxyz",substr($0,m,1))',
        'if(m)printf "%s\\357\\275%c%s",substr($0,1,m-1),128+c,substr($0,m+1)',
        'else print',
      ),
    },
    '<API_KEY with a soft hyphen>': {
      valueOf: (key) => `${key.slice(0, 1)}\xad${key.slice(1)}`,
      shell: bytewiseAwk('printf "%s\\255%s",substr($0,1,1),substr($0,2)'),
    },
    '<API_KEY with two adjacent characters swapped>': {
      // After the middle, because a service may compare the beginning by itself.
      valueOf: (key) => {
        const middle = key.length >> 1;
        return key.slice(0, middle) + key.slice(middle).replace(/(.)(?!\1)(.)/, '$2$1');
      },
      shell: awk(
        'for(i=int(length($0)/2)+1;i<length($0);i++)if(substr($0,i,1)!=substr($0,i+1,1))' +
          '{print substr($0,1,i-1)substr($0,i+1,1)substr($0,i,1)substr($0,i+2);exit}',
        'print',
      ),
    },
  }),
);

/**
 * Returns the form with one character changed. The first character is 1, the last -1, the middle 0.
 * A place after the end continues with the first.
 */
export function formWithChange(place: number): KeyForm {
  if (place === 0) {
    return changeCharacter(BY_UNDERSCORE, {
      indexIn: (key) => Math.floor(key.length / 2),
      awk: 'int(n/2)+1',
    });
  }
  const index = place > 0 ? place - 1 : place;
  return changeCharacter(BY_NEIGHBOUR, {
    indexIn: ({ length }) => ((index % length) + length) % length,
    awk: `((${index})%n+n)%n+1`,
  });
}

/** A replacement of one character, in JavaScript and as an expression of awk on `c`. */
interface Replacement {
  replace: (character: string) => string;
  awk: string;
}

/** The index of a character, from 0, and the same as an expression of awk on `n`, from 1. */
interface Place {
  indexIn: (key: string) => number;
  awk: string;
}

function changeCharacter(replacement: Replacement, place: Place): KeyForm {
  return {
    valueOf: (key) => {
      const index = place.indexIn(key);
      return [...key].with(index, replacement.replace(key.charAt(index))).join('');
    },
    shell: awk(
      'n=length($0)',
      `m=${place.awk}`,
      'c=substr($0,m,1)',
      `print substr($0,1,m-1)(${replacement.awk})substr($0,m+1)`,
    ),
  };
}

/**
 * Digits of base64, in order. A decoder takes two neighbours for the same digit if it ignores their
 * last bit.
 */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Replaces a letter or digit by its neighbour of the same kind, because a comparison may ignore the
 * kind. Replaces any other character by a letter, because a comparison may accept any of them.
 */
const BY_NEIGHBOUR: Replacement = {
  replace: (character) => DIGITS[DIGITS.indexOf(character) ^ 1] ?? 'x',
  awk: `(i=index("${DIGITS}",c))?substr("${DIGITS}",i%2?i+1:i-1,1):"x"`,
};

/** Replaces a character by an underscore, which matches any character in SQL's LIKE. */
const BY_UNDERSCORE: Replacement = {
  replace: (character) => (character === '_' ? 'x' : '_'),
  awk: 'c=="_"?"x":"_"',
};

/** Returns the form in which base64 encodes a text with the key in it. */
function base64Of(textWith: (key: string) => string): KeyForm {
  return {
    valueOf: (key) => Buffer.from(textWith(key)).toString('base64'),
    shell: pipe(`base64 | tr -d '\\n'`, textWith('%s')),
  };
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Returns the form in which the first letter after `offset` characters has its case swapped. */
function swapCaseAfter(offset: number): KeyForm {
  const swapped = '(c==tolower(c)?toupper(c):tolower(c))';
  return {
    valueOf: (key) => key.slice(0, offset) + key.slice(offset).replace(/[a-z]/i, swapCase),
    shell: awk(
      `r=substr($0,${offset + 1})`,
      'm=match(r,/[A-Za-z]/)',
      'c=substr(r,m,1)',
      `print substr($0,1,${offset})(m?substr(r,1,m-1)${swapped}substr(r,m+1):r)`,
    ),
  };
}

/** Returns the form in which characters are replaced by others, each of which is sent as one byte. */
function translate(from: string, to: string): KeyForm {
  return {
    valueOf: (key) => key.replace(/./g, (character) => to[from.indexOf(character)] ?? character),
    shell: pipe(`LC_ALL=C tr -- '${escapeForTr(from)}' '${escapeForTr(to)}'`),
  };
}

/** Writes characters beyond ASCII in octal, the only escape for bytes that every tr knows. */
function escapeForTr(text: string): string {
  return text.replace(/[^ -~]/g, (character) => `\\${character.charCodeAt(0).toString(8)}`);
}

/** Returns the form of a substitution. JavaScript and sed read these patterns alike. */
function substitute(pattern: RegExp, replacement: string): KeyForm {
  const replacementForSed = replacement.replaceAll('$', '\\');
  return {
    valueOf: (key) => key.replace(pattern, replacement),
    shell: pipe(`sed -E 's/${pattern.source}/${replacementForSed}/${pattern.flags}'`),
  };
}

function awk(...statements: string[]): string {
  return pipe(`awk '{${statements.join(';')}}'`);
}

/** For programs that print single bytes. */
function bytewiseAwk(...statements: string[]): string {
  return pipe(`LC_ALL=C awk '{${statements.join(';')}}'`);
}

/** Returns a shell expression that pipes the key into a program. */
function pipe(program: string, format = '%s'): string {
  return `$(printf ${format} "$API_KEY" | ${program})`;
}
