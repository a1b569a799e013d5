import type { NewUser } from '../src/plan/users.ts';

/** A body that no user can be made of. */
export interface InvalidBody {
  what: string;
  /** The requirement that it breaks. */
  slug: string;
  /** The body's text, and the values by which a user made of it would be found. */
  make: (user: NewUser) => { body: string; traces: string[] };
}

const fixed = (body: string) => () => ({ body, traces: [] });

export const invalidBodies: InvalidBody[] = [
  {
    what: 'no member email',
    slug: 'create.email-required',
    make: ({ name }) => ({ body: JSON.stringify({ name }), traces: [name] }),
  },
  {
    what: 'no member name',
    slug: 'create.name-required',
    make: ({ email }) => ({ body: JSON.stringify({ email }), traces: [email] }),
  },
  { what: 'neither email nor name', slug: 'create.members-required', make: fixed('{}') },
  {
    what: 'an array with a user in it',
    slug: 'create.object-required',
    make: (user) => ({ body: JSON.stringify([user]), traces: [user.email, user.name] }),
  },
  {
    what: 'a string',
    slug: 'create.object-required',
    make: ({ email }) => ({ body: JSON.stringify(email), traces: [email] }),
  },
  { what: 'a number', slug: 'create.object-required', make: fixed('42') },
  { what: 'null', slug: 'create.object-required', make: fixed('null') },
  { what: 'an empty body', slug: 'create.body-required', make: fixed('') },
  {
    what: 'JSON that is cut short',
    slug: 'create.complete-json',
    make: (user) => ({ body: JSON.stringify(user).slice(0, -1), traces: [user.email, user.name] }),
  },
];

/** A body in which email or name is no string. */
export interface Mistyped {
  what: string;
  member: 'email' | 'name';
  value: unknown;
}

const values = [
  { what: 'a number', value: 42 },
  { what: 'a boolean', value: true },
  { what: 'null', value: null },
  { what: 'an array', value: ['Ada', 'Grace'] },
  { what: 'an object', value: { first: 'Ada' } },
];

export const mistypedBodies: Mistyped[] = (['email', 'name'] as const).flatMap((member) =>
  values.map(({ what, value }) => ({ what: `${what} as ${member}`, member, value })),
);
