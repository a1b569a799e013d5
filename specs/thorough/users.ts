import { members, oneOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { TwinCase } from '../../src/plan/steps/users.ts';
import type { NewUser, Own } from '../../src/plan/users.ts';
import { createdOfWords, createdTogether, keptTogether, ofOneEmail, ofOneName } from '../creations-together.ts';
import { mayBeRefused } from '../round-trip.ts';
import { creations } from './creations.ts';
import { NAME, nameOfLength, plain, plainUser, SHORT, TWO_WORDS } from './plain.ts';
import { asUsual } from './reads.ts';

const turned = (text: string, by: string) => text.split(by).reverse().join(by);

/** What the second of two has that is the same as the first one's, or like it. */
const LIKE: Record<string, [member: keyof NewUser, change: (value: string) => string]> = {
  'the same name': ['name', (name) => name],
  'the same name in upper case': ['name', (name) => name.toUpperCase()],
  'the same name in lower case': ['name', (name) => name.toLowerCase()],
  'the same name with an accent': ['name', (name) => name.replace(/[aeiou]/i, '$&\u0301').normalize()],
  'a name of the same words': ['name', (name) => turned(name, ' ')],
  'the beginning of the name': ['name', (name) => name.slice(0, -1)],
  'the same email': ['email', (email) => email],
  'the same email in upper case': ['email', (email) => email.toUpperCase()],
  'the same email with a dot more': ['email', (email) => email.replace(/^(.)/, '$1.')],
  'the same email with a tag': ['email', (email) => email.replace('@', '+x@')],
  'an email of the same words': ['email', (email) => email.replace(/^[^@]+/, (local) => turned(local, '.'))],
  'an email that is one digit longer': ['email', (email) => email.replace('@', '0@')],
};
const isAlikeIn =
  (member: keyof NewUser) =>
  (one: TwinCase): TwinCase[] =>
    LIKE[one.what]?.[0] === member ? [one] : [];

/** How many users who are made one after the other have one email, or one name: where the last of some ends, the next begin. */
const OF_ONE = 4;

const tagOfSeveral = ({ tag }: Own) => tag.replace(/\d+$/, (count) => `${Math.floor(Number(count) / OF_ONE)}`);

const addresses = members({ local: oneOf(SHORT), length: oneOf(['usual', 'longest']) });
const TOGETHER = [createdTogether, keptTogether];
const OF_WORDS = [createdOfWords, keptTogether];

export const users: Topic[] = [
  // With names of their own: a service may take one of them, or all.
  creations('concurrent users with the same email', TOGETHER, 4, asUsual, () =>
    mayBeRefused('the same email, concurrently', { email: (own) => `same.${tagOfSeveral(own)}${own.domain}` }),
  ),
  { ...creations('concurrent plain users', TOGETHER, 44, plain, plainUser), isUsual: true },
];

/** Each of them is about others. */
export const usersWhoAreAlike: Topic[] = [
  creations('concurrent users with the same name', TOGETHER, 4, asUsual, () =>
    mayBeRefused('the same name, concurrently', { name: (own) => `Same ${tagOfSeveral(own)}` }),
  ),
  // An earlier run may have used the name or the address, and a service may want names of its own for each.
  creations('two-word names', OF_WORDS, 8, members({ name: oneOf(TWO_WORDS) }), ({ name }) =>
    mayBeRefused(name, { name: () => name }),
  ),
  creations('one-word addresses', OF_WORDS, 12, addresses, ({ local, length }) =>
    mayBeRefused(`${local} before the at sign`, {
      email: ({ domain }) => local + domain,
      ...(length === 'longest' && { name: (own) => nameOfLength(NAME, own) }),
    }),
  ),
  topic({
    what: 'users who share a name or an email',
    params: members({ first: plain, like: oneOf(Object.keys(LIKE)) }),
    toCase: ({ first, like: what }): TwinCase => {
      const [member, change] = LIKE[what] as (typeof LIKE)[string];
      return { what, like: (user) => ({ [member]: () => change(user[member]) }), first: plainUser(first) };
    },
    perRound: 3,
    users: 2,
    fills: [into(ofOneName, isAlikeIn('name')), into(ofOneEmail, isAlikeIn('email'))],
  }),
];
