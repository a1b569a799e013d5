import { randomBytes } from 'node:crypto';

/** What is sent to create a user. */
export interface NewUser {
  email: string;
  name: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Makes users that no other run makes, recognisable by the run's tag in email and name, and plain: an address of
 * lower-case letters, digits and dots, a name of two words of ASCII letters. No service may refuse them.
 */
export class UserFactory {
  /** Eight letters, this run's own. */
  readonly tag = Array.from(randomBytes(8), (byte) => LETTERS[byte % 26]).join('');
  readonly #domain: string;
  #made = 0;

  constructor(domain: string) {
    this.#domain = domain;
  }

  /** A user that was not used before. */
  make(): NewUser {
    this.#made += 1;
    return {
      email: `conformance.${this.tag}.${this.#made}@${this.#domain}`,
      name: `${capitalised(this.tag)} ${capitalised(inLetters(this.#made))}`,
    };
  }
}

/** 1 → `baab`, 2 → `baac`: a number in letters, because a plain name has no digits. */
function inLetters(number: number): string {
  const letter = (value: number) => LETTERS[value % 26] as string;
  return `b${letter(Math.floor(number / 676))}${letter(Math.floor(number / 26))}${letter(number)}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
