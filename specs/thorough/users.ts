import { members, oneOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { TwinCase, UserCase } from '../../src/plan/steps/users.ts';
import type { Own } from '../../src/plan/users.ts';
import { createdOfWords, createdTogether, keptTogether, ofOneEmail, ofOneName } from '../creations-together.ts';
import { NAME, nameOf, plain, plainUser, SHORT, TWO_WORDS } from './plain.ts';

const turned = (text: string, by: string) => text.split(by).reverse().join(by);
const inLocal = (change: (local: string) => string) => (email: string) =>
  `${change(email.slice(0, email.lastIndexOf('@')))}${email.slice(email.lastIndexOf('@'))}`;

/** What the second of two shares with the first, or is like in. */
const LIKE: Record<string, TwinCase['like']> = {
  'the same name': ({ name }) => ({ name: () => name }),
  'the same name in capital letters': ({ name }) => ({ name: () => name.toUpperCase() }),
  'the same name in small letters': ({ name }) => ({ name: () => name.toLowerCase() }),
  'a name of the same words': ({ name }) => ({ name: () => turned(name, ' ') }),
  'the beginning of the name': ({ name }) => ({ name: () => name.slice(0, -1) }),
  'the same email': ({ email }) => ({ email: () => email }),
  'the same email in upper case': ({ email }) => ({ email: () => email.toUpperCase() }),
  'the same email with a dot more': ({ email }) => ({ email: () => email.replace(/^(.)/, '$1.') }),
  'the same email with a tag': ({ email }) => ({ email: () => email.replace('@', '+x@') }),
  'an email of the same words': ({ email }) => ({ email: () => inLocal((local) => turned(local, '.'))(email) }),
  'an email that is one digit longer': ({ email }) => ({ email: () => inLocal((local) => `${local}0`)(email) }),
};
const ofName = ({ what }: TwinCase) => what.includes('name');

/** How many users who are made one after the other have one email: where the last of some ends, the next begin. */
const OF_ONE_EMAIL = 4;

/** One of several who have the same email, and names of their own: a service may take one of them, or all. */
const ofSameEmail: UserCase = {
  what: 'one email at the same time',
  fate: 'may',
  kind: {
    what: 'one email at the same time',
    email: ({ tag, domain }) =>
      `same.${tag.replace(/\d+$/, (count) => `${Math.floor(Number(count) / OF_ONE_EMAIL)}`)}${domain}`,
  },
};

export const users: Topic[] = [
  topic({
    what: 'users of one email at the same time',
    params: members({ written: oneOf(['as usual']) }),
    toCase: (): UserCase => ({ ...ofSameEmail }),
    perRound: 4,
    users: 1,
    fills: [into(createdTogether), into(keptTogether)],
  }),
  topic({
    what: 'plain users at the same time',
    params: plain,
    toCase: plainUser,
    perRound: 44,
    users: 1,
    isUsual: true,
    fills: [into(createdTogether), into(keptTogether)],
  }),
  topic({
    what: 'plain users of two known words',
    params: members({ name: oneOf(TWO_WORDS) }),
    // An earlier run may have used the name, and a service may want names of its own for each: it may refuse these.
    toCase: ({ name }): UserCase => ({ what: name, fate: 'may', kind: { what: name, name: () => name } }),
    perRound: 8,
    users: 1,
    fills: [into(createdOfWords), into(keptTogether)],
  }),
  topic({
    what: 'plain addresses of one known word',
    params: members({ local: oneOf(SHORT), length: oneOf(['usual', 'longest']) }),
    // An earlier run may have used it.
    toCase: ({ local, length }): UserCase => ({
      what: `${local} before the at sign`,
      fate: 'may',
      kind: {
        what: `${local} before the at sign`,
        email: ({ domain }) => local + domain,
        ...(length === 'longest' && { name: (own: Own) => nameOf({ kind: 'length', length: NAME }, own) }),
      },
    }),
    perRound: 12,
    users: 1,
    fills: [into(createdOfWords), into(keptTogether)],
  }),
  topic({
    what: 'users who share a name or an email',
    params: members({ first: plain, like: oneOf(Object.keys(LIKE)) }),
    toCase: ({ first, like }): TwinCase => ({
      what: like,
      like: LIKE[like] as TwinCase['like'],
      first: plainUser(first),
    }),
    perRound: 3,
    users: 2,
    fills: [
      into(ofOneName, (one: TwinCase) => (ofName(one) ? [one] : [])),
      into(ofOneEmail, (one: TwinCase) => (ofName(one) ? [] : [one])),
    ],
  }),
];
