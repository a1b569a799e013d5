import { PLAIN_WORDS } from '../../../specs/plain-words.ts';
import type { Patch } from '../service.ts';
import { unique } from '../writers.ts';
import { type Broken, broken } from './broken.ts';

interface Sent {
  email: string;
  name: string;
}

/** Refuses users that are plain. */
const refuses =
  (isOdd: (sent: Sent) => boolean): Patch =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      return 'error' in parsed || !isOdd(parsed) ? parsed : { error: 'not such a user' };
    };
  };

/** Changes users that are plain when they are stored. */
const stores =
  (change: (sent: Sent) => Partial<Sent>): Patch =>
  (service) => {
    const { store } = service;
    service.store = (user) => store({ ...user, ...change(user) });
  };

const isPlain = (name: string) => /^[A-Za-z]+ [A-Za-z]+$/.test(name);

/** Whether a word of a class stands in an address or a name. */
const hasWordOf =
  (words: string[]) =>
  ({ email, name }: Sent): boolean =>
    [
      ...email.replace(/@.*/, '').split('.'),
      ...(isPlain(name) ? name.toLowerCase().split(' ') : []),
    ].some((word) => words.includes(word));

/** Plain users whom a service refuses, or keeps otherwise than they were sent. */
export const brokenPlainUsers: Broken[] = [
  // A word of one letter alone stands in other users as well, by chance.
  ...PLAIN_WORDS.slice(0, -1).map((words) =>
    broken(
      'create.answers',
      `a filter of words such as ${words.slice(0, 4).join(', ')}`,
      refuses(hasWordOf(words)),
    ),
  ),
  broken('create.answers', 'who has the last name of another user is refused', (service) => {
    const last = ({ name }: { name: string }) => name.split(' ')[1];
    refuses((user) => service.users.some((other) => last(other) === last(user)))(service);
  }),
  broken(
    'create.answers',
    'who has the last name of another user and the same initial is refused',
    (service) => {
      const login = ({ name }: { name: string }) => name.replace(/^(.)\S*/, '$1');
      refuses((user) => service.users.some((other) => login(other) === login(user)))(service);
    },
  ),
  broken(
    'create.answers',
    'an address of more than 60 characters is refused',
    refuses(({ email }) => email.length > 60),
  ),
  broken(
    'create.answers',
    'a word of one letter is refused',
    refuses(({ name }) => /^[A-Za-z] [A-Za-z]+$/.test(name)),
  ),
  broken(
    'create.answers',
    'a name of less than eight characters is refused',
    refuses(({ name }) => isPlain(name) && name.length < 8),
  ),
  broken(
    'create.answers',
    'a name in upper case is refused',
    refuses(({ name }) => /^[A-Z]+ [A-Z]+$/.test(name)),
  ),
  broken(
    'create.answers',
    'an address of digits alone is refused',
    refuses(({ email }) => /^\d+@/.test(email)),
  ),
  broken(
    'create.answers',
    'an address that begins with a digit is refused',
    refuses(({ email }) => /^\d.*[a-z].*@/.test(email)),
  ),
  broken(
    'create.answers',
    'a local part of less than seven characters is refused',
    refuses(({ email }) => email.indexOf('@') < 7),
  ),
  broken(
    'create.answers',
    'a firewall takes Select for SQL',
    refuses(({ name }) => /\bselect\b/i.test(name)),
  ),
  broken(
    'create.answers',
    'a name of the word Null is refused',
    refuses(({ name }) => name.startsWith('Null ')),
  ),
  broken(
    'retrieve.values',
    'names are cut at 30 characters',
    stores(({ name }) => (isPlain(name) ? { name: name.slice(0, 30) } : {})),
  ),
  ...(
    [
      [
        'retrieve.values',
        'capital letters within a word are made small',
        /\B[A-Z]/g,
        (one) => one.toLowerCase(),
      ],
      [
        'retrieve.values',
        'Mc is followed by a capital letter',
        /(?<=\bMc)[a-z]/g,
        (one) => one.toUpperCase(),
      ],
      [
        'retrieve.values',
        'a word that begins with O gets an apostrophe',
        /^O(?=[A-Z])/,
        () => "O'",
      ],
    ] as [slug: string, name: string, from: RegExp, to: (found: string) => string][]
  ).map(([slug, name, from, to]) =>
    broken(
      slug,
      name,
      stores((one) => (isPlain(one.name) ? { name: one.name.replace(from, to) } : {})),
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
    // Of e alone: a user's number in letters may end with two of another, and the tag begin with a third.
    refuses(({ name }) => isPlain(name) && /eee/.test(name)),
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
        ? { name: name.replace(/\b[a-z]/g, (one) => one.toUpperCase()) }
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
    'a name of the same word twice is that word',
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
    refuses(({ email }) => email.split('.').length > 6),
  ),
  broken(
    'retrieve.values',
    'dots of the local part are dropped from a long address',
    stores(({ email }) => (email.length === 64 ? { email: email.replace(/\.(?=.*@)/g, '') } : {})),
  ),
  broken('create.answers', 'an address is unique by its first 44 characters', (service) => {
    const start = ({ email }: { email: string }) => email.slice(0, 44);
    refuses((user) => service.users.some((other) => start(other) === start(user)))(service);
  }),
  broken(
    'retrieve.values',
    'a name that the address says already is not kept',
    stores(({ email, name }) =>
      email.startsWith(`${name.toLowerCase().replace(' ', '.')}@`) ? { name: '' } : {},
    ),
  ),
  broken(
    'create.answers',
    'addresses of roles are refused, and so are emails that are there',
    (service) => {
      refuses(({ email }) => /^(admin|root|info)@/.test(email))(service);
      unique(service, 'email');
    },
  ),
  broken(
    'create.answers',
    'two words of SQL are refused',
    refuses(({ name }) => /^union select$/i.test(name)),
  ),
  broken(
    'create.answers',
    'a word and digits are no address',
    refuses(({ email }) => /^[a-z]+[.]\d+@/.test(email)),
  ),
];
