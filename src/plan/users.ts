import { randomInt } from 'node:crypto';

/** What is sent to create a user. */
export interface NewUser {
  email: string;
  name: string;
}

const [CONSONANTS, VOWELS] = ['bcdfghjklmnpqrstvwxyz', 'aeiouy'];

const FIRST_NAMES =
  'ada alan anna barbara carl dora edgar emmy frances grace hedy ida john karen leslie mary niels rosa'.split(' ');

/** How a user differs from others, made of what is this user's own: so no two are the same, and each shows its run. */
export interface UserKind {
  what: string;
  /** The whole address; `own` is the run's tag with a number, `domain` the domain with its at sign. */
  email?: (own: Own) => string;
  name?: (own: Own) => string;
}

/**
 * Makes users that no other run makes, recognisable by the run's tag in the email or the name. They look like people: a
 * service that behaves only where it sees a test must not know one by its users. `choices` stands for what a run
 * chooses of several things that it could send: its tag, or that of a run that is made again.
 */
export function userFactory(domain: string, choices?: string) {
  /** Eight letters, this run's own, which read like a surname. */
  const tag = Array.from({ length: 8 }, (_, at) => drawn(at % 2 === 0 ? CONSONANTS : VOWELS)).join('');
  const run = { tag, choices: choices ?? tag };
  let made = 0;
  return {
    ...run,
    /** A user that was not used before; plain, unless its kind makes it unusual. */
    make: ({ email, name }: Partial<UserKind> = {}): NewUser => {
      made += 1;
      const own = ownOf(run, domain, made);
      return { email: email?.(own) ?? `${own.local}${own.domain}`, name: name?.(own) ?? own.name };
    },
  };
}

/** What only one user of one run has. */
export type Own = ReturnType<typeof ownOf>;

function ownOf(run: { tag: string; choices: string }, domain: string, made: number) {
  const number = inLetters(made);
  const tag = `${run.tag}${made}`;
  return {
    /** Such as `ada.malorine7`. */
    local: `${drawn(FIRST_NAMES)}.${tag}`,
    /** Such as `malorine7`. */
    tag,
    /** Stands for the choices of the run. */
    choices: run.choices,
    /** The tag in digits, two for each letter, and the number: such as `221021242718231487`. */
    digits: inDigits(run.tag) + made,
    /** Such as `@example.com`. */
    domain: `@${domain}`,
    /** Such as `Malorine Baah`. */
    name: `${capitalised(run.tag)} ${capitalised(number)}`,
    /** One word for a name, such as `Baahmalorine`. */
    word: capitalised(number + run.tag),
  };
}

/** The tag of a run with two digits for each letter. */
export const inDigits = (tag: string) => [...tag].map((letter) => Number.parseInt(letter, 36)).join('');

const drawn = (from: ArrayLike<string>) => from[randomInt(from.length)] as string;

/** 1 → `baab`, 2 → `baac`: a number in letters, because a plain name has no digits. */
function inLetters(number: number): string {
  const letter = (value: number) => (10 + (value % 26)).toString(36);
  return `b${letter(Math.floor(number / 676))}${letter(Math.floor(number / 26))}${letter(number)}`;
}

/** The word with a capital letter at its beginning. */
export const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
