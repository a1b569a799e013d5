import { isDeepStrictEqual } from 'node:util';
import type { BodyCase, MistypedCase } from '../../../src/plan/steps/bodies.ts';
import type { FreeCase, LookupCase } from '../../../src/plan/steps/refusals.ts';
import type { TwinCase, UserCase } from '../../../src/plan/steps/users.ts';
import type { UserKind } from '../../../src/plan/users.ts';
import { answering } from '../../answering.ts';
import { jsonOf } from '../broken/broken.ts';
import type { Patch, Request, User } from '../service.ts';

type Make<T> = (this: unknown, ...given: never[]) => T;

/** Notes what a function of a case makes in any run: by that a service knows the case again. */
function noting<O extends object, T>(owner: O, name: keyof O, note: (made: T) => void): void {
  const make = owner[name] as Make<T> | undefined;
  if (make === undefined || 'isNoted' in make) return;
  const noted = (...given: never[]) => {
    const made = make(...given);
    note(made);
    return made;
  };
  Object.assign(owner, { [name]: Object.assign(noted, { isNoted: true }) });
}

const texts = new WeakMap<object, Set<string>>();
function textsOf(one: object): Set<string> {
  const known = texts.get(one) ?? new Set<string>();
  texts.set(one, known);
  return known;
}

/** A body of a case is carried out, or refused with a status that is none of 4xx. */
export function wrongBody(slug: string, one: BodyCase): Patch {
  noting(one, 'make', ({ body }: { body: string }) => textsOf(one).add(body));
  const isIt = ({ method, body }: Request) => method === 'POST' && textsOf(one).has(body);
  return (service) => {
    const { create } = service;
    service.create = (request) => {
      if (!isIt(request)) return create(request);
      if (slug.endsWith('-status')) return { status: 302, headers: { location: '/' } };
      if (slug.endsWith('.answered')) return new Promise(() => {});
      const user: User = { id: service.newId(), email: 'a@example.org', name: 'A B' };
      service.store(user);
      return service.created(user);
    };
  };
}

/** A value that is no string is kept as it is, or as text where that is the fault. */
export function wrongType(slug: string, { member, value }: MistypedCase): Patch {
  return (service) => {
    const { create } = service;
    service.create = (request) => {
      const sent = jsonOf(request) as User;
      const own = sent?.[member];
      // Of a value with the user's own string in it, which no other case has.
      const isIt =
        `${value}` === '$own' ? Array.isArray(own) && /@|\w{8}/.test(`${own}`) : isDeepStrictEqual(own, value);
      if (!isIt) return create(request);
      if (slug.endsWith('.answered')) return new Promise(() => {});
      const kept = slug.endsWith('-status') ? `${own}` : own;
      const user = { ...sent, [member]: kept, id: service.newId() } as User;
      service.store(user);
      return service.created(user);
    };
  };
}

/** Identifiers of a case yield the newest user, or a status that is none of 4xx. */
export function wrongLookup(slug: string, one: LookupCase): Patch {
  noting(one, 'segments', (made: string[]) => {
    for (const text of made) textsOf(one).add(text);
  });
  return (service) => {
    const { retrieve } = service;
    service.retrieve = (id, request) => {
      const segment = request.path.slice(request.path.lastIndexOf('/') + 1);
      if (!textsOf(one).has(segment) || service.find(id)) return retrieve(id, request);
      return { status: 200, body: slug.endsWith('-status') ? {} : service.record(service.users.at(-1) as User) };
    };
  };
}

/** The name and the email that a kind makes, in any run. */
function noteKind(kind: UserKind): Set<string> {
  for (const member of ['name', 'email'] as const) noting(kind, member, (made: string) => textsOf(kind).add(made));
  return textsOf(kind);
}

/** A user of a kind is refused, is lost, or is kept as somebody else. */
export function wrongUser(slug: string, one: UserCase): Patch {
  const kind = one.kind as UserKind;
  const made = noteKind(kind);
  const ofWhole = one.whole?.kind ? noteKind(one.whole.kind) : undefined;
  const isOf = ({ name, email }: User, some: Set<string>) => some.has(name) || some.has(email);
  return (service) => {
    const { create, store } = service;
    service.create = (request) => {
      const sent = jsonOf(request) as User | null;
      const isWhole = sent !== null && ofWhole !== undefined && isOf(sent, ofWhole) && !isOf(sent, made);
      const isIt = sent !== null && typeof sent === 'object' && isOf(sent, made);
      if (isWhole || (isIt && /answers$/.test(slug))) return service.invalid('no such user');
      return create(request);
    };
    service.store = (user) => {
      if (!isOf(user, made)) return store(user);
      if (slug === 'create.accepted-exists' || slug === 'retrieve.created-user') return;
      store({ ...user, ...(kind.name ? { name: `${user.name}x` } : { email: `x${user.email}` }) });
    };
  };
}

/** The second user who shares something is answered as created, and is the first. */
export function wrongTwin(one: TwinCase): Patch {
  noting(one, 'like', ({ name, email }: Partial<UserKind>) => {
    for (const make of [name, email]) if (make) textsOf(one).add(make({} as never));
  });
  return (service) => {
    const { create } = service;
    service.create = (request) => {
      const { name, email } = (jsonOf(request) ?? {}) as User;
      const isIt = textsOf(one).has(name) || textsOf(one).has(email);
      const first = service.users.find(
        (user) => user.name === name || user.email.toLowerCase() === `${email}`.toLowerCase(),
      );
      return isIt && first ? service.created(first) : create(request);
    };
  };
}

/** The list is at another address as well. */
export function wrongAddress({ make }: FreeCase): Patch {
  const { path } = make(answering().run).request;
  return (service) => {
    const { elsewhere } = service;
    service.elsewhere = (request) => (request.path === path ? (service.list(request) as never) : elsewhere(request));
  };
}
