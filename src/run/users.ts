import { randomInt } from 'node:crypto';
import type { NewUser } from '../history/creation.ts';
import type { OwnParts, UserKind } from '../requirement/case.ts';

/** The user of a request that needs none. */
export const NO_USER: NewUser = { email: '', name: '' };

/** Makes users of one run. */
export interface UserFactory {
  /** Eight letters, like a surname, in the email or the name of every user of the run. */
  tag: string;
  /**
   * Makes a new user: a plain one, unless its kind says otherwise. `other` is the user that
   * shares an email or a name with the new one, if the kind says so.
   */
  make: (kind?: UserKind, other?: NewUser) => NewUser;
}

/**
 * Makes users that no other run makes and that the run's tag identifies. They look like people, so
 * that a service can't treat test users differently. Only the tag is random.
 */
export function userFactory(domain: string, tag: string = randomTag()): UserFactory {
  let count = 0;
  return {
    tag,
    make: ({ email, name } = {}, other = NO_USER) => {
      count += 1;
      const parts = ownParts(tag, domain, count);
      return {
        email: email ? email(parts, other) : parts.local + parts.domain,
        name: name ? name(parts, other) : parts.name,
      };
    },
  };
}

const CONSONANTS = 'bcdfghjklmnpqrstvwxyz';
const VOWELS = 'aeiouy';
const TAG_LENGTH = 8;

function randomTag(): string {
  let tag = '';
  for (let position = 0; position < TAG_LENGTH; position += 1) {
    const letters = position % 2 === 0 ? CONSONANTS : VOWELS;
    tag += letters.charAt(randomInt(letters.length));
  }
  return tag;
}

const FIRST_NAMES =
  'ada alan anna barbara carl dora edgar emmy frances grace hedy ida john karen leslie mary niels rosa'.split(
    ' ',
  );

function ownParts(tag: string, domain: string, number: number): OwnParts {
  const letters = inLetters(number);
  return {
    local: `${FIRST_NAMES[number % FIRST_NAMES.length]}.${tag}${number}`,
    tag: `${tag}${number}`,
    digits: `${inDigits(tag)}${number}`,
    domain: `@${domain}`,
    name: `${capitalize(tag)} ${capitalize(letters)}`,
    word: capitalize(letters + tag),
  };
}

/** Writes a number in letters, because a plain name has no digits: 1 is `baab`, 2 is `baac`. */
function inLetters(number: number): string {
  const letter = (value: number) => (10 + (value % 26)).toString(36);
  return `b${letter(Math.floor(number / 676))}${letter(Math.floor(number / 26))}${letter(number)}`;
}

/** Writes a run's tag in digits, two for each letter. */
export const inDigits = (tag: string): string =>
  [...tag].map((letter) => Number.parseInt(letter, 36)).join('');

export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
