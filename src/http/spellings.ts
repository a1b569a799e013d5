import { linesOf } from './lists.ts';

/** A text as it came, or with the encodings of its characters undone once or several times. */
export interface Spelling {
  text: string;
  /** The place in the text as it came where the character at a place of this one begins. */
  origin: (at: number) => number;
}

/** So often are encodings within encodings undone: a proxy's log of a framework's JSON of a template's HTML has three. */
const ROUNDS = 5;

/** Names by which HTML writes characters. */
const ENTITIES = new Map(linesOf('entities').map((line) => line.split(' ') as [name: string, character: string]));

/**
 * One character in any of the ways in which programs write it: behind backslashes (JSON, JavaScript, shells), as
 * `\u002b`, `\x2b`, `\u{2b}` or `\053`, as `%2b`, as `&#43;`, `&#x2b;` or `&plus;`, each also encoded again; or the NUL
 * that stands beside a character in UTF-16, which goes before a backslash that it stands behind. Nothing is tried twice
 * on a long text.
 */
const ENCODED = new RegExp(
  [
    String.raw`\\+(?:u00([0-7][\da-f])|x([0-7][\da-f])|u\{0{0,8}([0-7]?[\da-f])\}|([01][0-7]{2})|(?!\0|u[^0{]|u0[^0]))`,
    '%(?:25)*([0-7][\\da-f])',
    `&(?:amp;)*(?:#0*(\\d{1,3})(?!\\d);?|#x0*([0-7]?[\\da-f])(?![\\da-f]);?|(${[...ENTITIES.keys()].join('|')});)`,
    '\\0+',
  ].join('|'),
  'gi',
);

/** What is in every text that has an encoded character: most have none of them, and that is faster to see. */
const MARKS = ['\\', '%', '&', '\0'];

type Groups = [string, ...(string | undefined)[]];

function decoded([, u, x, braced, octal, percent, decimal, hex, name]: Groups): string {
  const base16 = u ?? x ?? braced ?? percent ?? hex;
  if (base16 !== undefined) return String.fromCharCode(Number.parseInt(base16, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return name === undefined ? '' : (ENTITIES.get(name.toLowerCase()) as string);
}

/** The spellings of a text: itself, and what is left when its encodings are undone, as long as there are any. */
export function* spellings(text: string): Generator<Spelling> {
  let last: Spelling = { text, origin: (at) => at };
  yield last;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = undone(last);
    if (next === undefined) return;
    yield next;
    last = next;
  }
}

function undone({ text, origin }: Spelling): Spelling | undefined {
  if (!MARKS.some((mark) => text.includes(mark))) return undefined;
  const plain = text.replace(ENCODED, (...groups) => decoded(groups as Groups));
  if (plain.length === text.length) return undefined;
  // Seldom asked for, and a long text has many.
  let shifts: Shift[] | undefined;
  return {
    text: plain,
    origin: (at) => {
      shifts ??= shiftsIn(text);
      const [, by] = shifts.findLast(([from]) => from <= at) as Shift;
      return origin(at + by);
    },
  };
}

/** Behind each encoded character the places shift: from where on, and by how much. */
type Shift = [from: number, by: number];

function shiftsIn(text: string): Shift[] {
  const shifts: Shift[] = [[0, 0]];
  let by = 0;
  for (const match of text.matchAll(ENCODED)) {
    const character = decoded(match as unknown as Groups);
    const from = match.index - by + character.length;
    by += match[0].length - character.length;
    shifts.push([from, by]);
  }
  return shifts;
}
