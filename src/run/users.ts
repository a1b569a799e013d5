import { randomInt } from 'node:crypto';
import type { NewUser } from '../history/creation.ts';
import type { OwnParts, UserKind } from '../requirement/case.ts';

const CONSONANTS = 'bcdfghjklmnpqrstvwxyz';
const VOWELS = 'aeiouy';
const TAG_LENGTH = 8;

const FIRST_NAMES =
  'ada alan anna barbara carl dora edgar emmy frances grace hedy ida john karen leslie mary niels rosa'.split(
    ' ',
  );

const NOBODY: NewUser = { email: '', name: '' };

/** Makes users of one run. */
export interface UserFactory {
  /** In the email or the name of every user of the run: eight letters that read like a surname. */
  tag: string;
  /**
   * Makes a user that was not used before; plain, unless its kind says otherwise. `other` is the user with whom one of
   * such a kind shares something.
   */
  make: (kind?: UserKind, other?: NewUser) => NewUser;
}

/**
 * Makes users that no other run makes and that are recognizable by the run's tag. They look like people, because a
 * service that behaves well only for tests must not recognize one. Only the tag is random.
 */
export function userFactory(domain: string, tag: string = randomTag()): UserFactory {
  let made = 0;
  return {
    tag,
    make: ({ email, name } = {}, other = NOBODY) => {
      made += 1;
      const own = ownParts(tag, domain, made);
      const user = { email: own.local + own.domain, name: own.name };
      return { email: email?.(own, other) ?? user.email, name: name?.(own, other) ?? user.name };
    },
  };
}

function randomTag(): string {
  const letters = Array.from({ length: TAG_LENGTH }, (_, at) => {
    const from = at % 2 === 0 ? CONSONANTS : VOWELS;
    return from.charAt(randomInt(from.length));
  });
  return letters.join('');
}

function ownParts(tag: string, domain: string, number: number): OwnParts {
  const inWords = inLetters(number);
  return {
    local: `${FIRST_NAMES[number % FIRST_NAMES.length]}.${tag}${number}`,
    tag: `${tag}${number}`,
    digits: `${inDigits(tag)}${number}`,
    domain: `@${domain}`,
    name: `${capitalize(tag)} ${capitalize(inWords)}`,
    word: capitalize(inWords + tag),
  };
}

/** Two digits for each letter of a run's tag. */
export const inDigits = (tag: string): string =>
  [...tag].map((letter) => Number.parseInt(letter, 36)).join('');

/** A number in letters, because a plain name has no digits: 1 is `baab`, 2 is `baac`. */
function inLetters(number: number): string {
  const letter = (value: number) => (10 + (value % 26)).toString(36);
  return `b${letter(Math.floor(number / 676))}${letter(Math.floor(number / 26))}${letter(number)}`;
}

export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
