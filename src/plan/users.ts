import { randomInt } from 'node:crypto';

/** What is sent to create a user. */
export interface NewUser {
  email: string;
  name: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
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
 * Makes users that no other run makes, recognisable by the run's tag in the email or the name. They look like people: a service
 * that behaves only where it sees a test must not know one by its users.
 */
export class UserFactory {
  /** Eight letters, this run's own, which read like a surname. */
  readonly tag = Array.from({ length: 8 }, (_, at) => drawn(at % 2 === 0 ? CONSONANTS : VOWELS)).join('');
  /** Stands for what a run chooses of several things that it could send: the tag, or that of a run that is made again. */
  readonly choices: string;
  readonly #domain: string;
  #made = 0;

  constructor(domain: string, choices?: string) {
    this.#domain = domain;
    this.choices = choices ?? this.tag;
  }

  /** A user that was not used before; plain, unless its kind makes it unusual. */
  make({ email, name }: Partial<UserKind> = {}): NewUser {
    this.#made += 1;
    const own = ownOf(this, this.#domain, this.#made);
    return { email: email?.(own) ?? `${own.local}${own.domain}`, name: name?.(own) ?? own.name };
  }
}

/** What only one user of one run has. */
export type Own = ReturnType<typeof ownOf>;

function ownOf(run: Pick<UserFactory, 'tag' | 'choices'>, domain: string, made: number) {
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
    digits: [...run.tag].map((letter) => `${10 + LETTERS.indexOf(letter)}`).join('') + made,
    /** Such as `@example.com`. */
    domain: `@${domain}`,
    /** Such as `Malorine Baah`. */
    name: `${capitalised(run.tag)} ${capitalised(number)}`,
    /** One word for a name, such as `Baahmalorine`. */
    word: capitalised(number + run.tag),
  };
}

const drawn = (from: ArrayLike<string>) => from[randomInt(from.length)] as string;

/** 1 → `baab`, 2 → `baac`: a number in letters, because a plain name has no digits. */
function inLetters(number: number): string {
  const letter = (value: number) => LETTERS[value % 26] as string;
  return `b${letter(Math.floor(number / 676))}${letter(Math.floor(number / 26))}${letter(number)}`;
}

/** The word with a capital letter at its beginning. */
export const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
