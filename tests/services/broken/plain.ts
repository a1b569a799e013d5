import { PLAIN_WORDS } from '../../../specs/plain-words.ts';
import type { NewUser, Patch } from '../service.ts';
import { unique } from '../writers.ts';
import { type Broken, broken } from './broken.ts';

/** Rejects the users for which `isRejected` returns true. */
const rejects =
  (isRejected: (user: NewUser) => boolean): Patch =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      return 'error' in parsed || !isRejected(parsed) ? parsed : { error: 'not such a user' };
    };
  };

/** Changes users when they are stored. */
const stores =
  (change: (user: NewUser) => Partial<NewUser>): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => store({ ...user, ...change(user) });
  };

const isPlain = (name: string) => /^[A-Za-z]+ [A-Za-z]+$/.test(name);

/** Whether a word of the email or the name is one of these. */
const hasWordOf =
  (words: string[]) =>
  ({ email, name }: NewUser): boolean => {
    const inEmail = email.replace(/@.*/, '').split('.');
    const inName = isPlain(name) ? name.toLowerCase().split(' ') : [];
    return [...inEmail, ...inName].some((word) => words.includes(word));
  };

/** Changes of plain names. */
const CHANGED_NAMES: [name: string, from: RegExp, to: (match: string) => string][] = [
  ['capital letters within a word are made small', /\B[A-Z]/g, (letter) => letter.toLowerCase()],
  ['Mc is followed by a capital letter', /(?<=\bMc)[a-z]/g, (letter) => letter.toUpperCase()],
  ['a word that begins with O gets an apostrophe', /^O(?=[A-Z])/, () => "O'"],
];

/** Services that reject or change plain users. */
export const brokenPlainUsers: Broken[] = [
  // Words of one letter, the last class, also occur in other users by chance.
  ...PLAIN_WORDS.slice(0, -1).map((words) =>
    broken(
      'create.answers',
      `a filter of words such as ${words.slice(0, 4).join(', ')}`,
      rejects(hasWordOf(words)),
    ),
  ),
  broken('create.answers', 'a user with the last name of another is refused', (service) => {
    const lastNameOf = ({ name }: NewUser) => name.split(' ')[1];
    rejects((user) => service.users.some((other) => lastNameOf(other) === lastNameOf(user)))(
      service,
    );
  }),
  broken(
    'create.answers',
    'a user with the last name and the initial of another is refused',
    (service) => {
      const loginOf = ({ name }: NewUser) => name.replace(/^(.)\S*/, '$1');
      rejects((user) => service.users.some((other) => loginOf(other) === loginOf(user)))(service);
    },
  ),
  broken(
    'create.answers',
    'an address of more than 60 characters is refused',
    rejects(({ email }) => email.length > 60),
  ),
  broken(
    'create.answers',
    'a word of one letter is refused',
    rejects(({ name }) => /^[A-Za-z] [A-Za-z]+$/.test(name)),
  ),
  broken(
    'create.answers',
    'a name of less than eight characters is refused',
    rejects(({ name }) => isPlain(name) && name.length < 8),
  ),
  broken(
    'create.answers',
    'a name in upper case is refused',
    rejects(({ name }) => /^[A-Z]+ [A-Z]+$/.test(name)),
  ),
  broken(
    'create.answers',
    'an address of digits alone is refused',
    rejects(({ email }) => /^\d+@/.test(email)),
  ),
  broken(
    'create.answers',
    'an address that begins with a digit is refused',
    rejects(({ email }) => /^\d.*[a-z].*@/.test(email)),
  ),
  broken(
    'create.answers',
    'a local part of less than seven characters is refused',
    rejects(({ email }) => email.indexOf('@') < 7),
  ),
  broken(
    'create.answers',
    'a firewall takes Select for SQL',
    rejects(({ name }) => /\bselect\b/i.test(name)),
  ),
  broken(
    'create.answers',
    'a name of the word Null is refused',
    rejects(({ name }) => name.startsWith('Null ')),
  ),
  broken(
    'retrieve.values',
    'names are cut at 30 characters',
    stores(({ name }) => (isPlain(name) ? { name: name.slice(0, 30) } : {})),
  ),
  ...CHANGED_NAMES.map(([title, from, to]) =>
    broken(
      'retrieve.values',
      title,
      stores(({ name }) => (isPlain(name) ? { name: name.replace(from, to) } : {})),
    ),
  ),
  broken(
    'http.equivalent-requests',
    'a last word of one letter is an initial',
    stores(({ name }) =>
      /^[A-Za-z]{2,} [A-Z]$/.test(name) ? { name: name.split(' ').reverse().join(' ') } : {},
    ),
    ['retrieve.values'],
  ),
  broken(
    'create.answers',
    'three equal letters in a row are a mistake',
    // Only e: with other letters the tag of a run may complete such a row by chance.
    rejects(({ name }) => isPlain(name) && /eee/.test(name)),
  ),
  broken(
    'retrieve.values',
    'names in capital letters are set in small ones',
    stores(({ name }) => (/^[A-Z]+ [A-Z]+$/.test(name) ? { name: name.toLowerCase() } : {})),
  ),
  broken(
    'retrieve.values',
    'names in small letters get capital ones',
    stores(({ name }) =>
      /^[a-z]+ [a-z]+$/.test(name)
        ? { name: name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) }
        : {},
    ),
  ),
  broken(
    'retrieve.values',
    'the word Jr is taken for a suffix',
    stores(({ name }) => ({ name: name.replace(/ Jr$/, ', Jr.') })),
  ),
  broken(
    'retrieve.values',
    'the word True is converted',
    stores(({ name }) => ({ name: name.replace(/^True\b/, 'true') })),
  ),
  broken(
    'retrieve.values',
    'an address of digits is converted to a number and back',
    stores(({ email }) => ({ email: email.replace(/^\d+/, (digits) => `${Number(digits)}`) })),
  ),
  broken(
    'retrieve.values',
    'a name of the same word twice becomes that word once',
    stores(({ name }) => (/^(\S+) \1$/.test(name) ? { name: name.replace(/ .*/, '') } : {})),
  ),
  broken(
    'retrieve.values',
    'a year at the end of an address is dropped',
    stores(({ email }) => ({ email: email.replace(/2024@/, '@') })),
  ),
  broken(
    'create.answers',
    'an address of more than five parts is refused',
    rejects(({ email }) => email.split('.').length > 6),
  ),
  broken(
    'retrieve.values',
    'dots of the local part are dropped from a long address',
    stores(({ email }) => (email.length === 64 ? { email: email.replace(/\.(?=.*@)/g, '') } : {})),
  ),
  broken('create.answers', 'an address is unique by its first 44 characters', (service) => {
    const startOf = ({ email }: NewUser) => email.slice(0, 44);
    rejects((user) => service.users.some((other) => startOf(other) === startOf(user)))(service);
  }),
  broken(
    'retrieve.values',
    'a name that the email contains is not stored',
    stores(({ email, name }) =>
      email.startsWith(`${name.toLowerCase().replace(' ', '.')}@`) ? { name: '' } : {},
    ),
  ),
  broken(
    'create.answers',
    'addresses of roles are refused, and so are emails of other users',
    (service) => {
      rejects(({ email }) => /^(admin|root|info)@/.test(email))(service);
      unique(service, 'email');
    },
  ),
  broken(
    'create.answers',
    'two words of SQL are refused',
    rejects(({ name }) => /^union select$/i.test(name)),
  ),
  broken(
    'create.answers',
    'a word, a dot and digits are refused as an address',
    rejects(({ email }) => /^[a-z]+[.]\d+@/.test(email)),
  ),
];
