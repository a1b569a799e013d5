import { gzipSync } from 'node:zlib';
import { type Patch, type Reply, type Request, withPeople } from '../services/service.ts';

/** A service whose responses are too large. */
export interface Attack {
  name: string;
  patch: Patch;
}

const MIB = 1024 * 1024;

type Kind = 'list' | 'record' | 'refusal';

function kindOf({ status }: Reply, { method, path }: Request): Kind {
  if (status >= 400) return 'refusal';
  return method === 'GET' && path.endsWith('/users') ? 'list' : 'record';
}

/** Replaces the body of responses of a kind. */
export function body(kinds: Kind[], make: () => string | Buffer, compressed = true): Patch {
  return (service) => {
    const { handle } = service;
    const plain = Buffer.from(make());
    const sent = compressed ? gzipSync(plain, { level: 1 }) : plain;
    service.handle = async (request) => {
      const reply = await handle(request);
      if (!kinds.includes(kindOf(reply, request))) return reply;
      const coding: Record<string, string> = compressed ? { 'content-encoding': 'gzip' } : {};
      const headers = { 'content-type': 'application/json', ...reply.headers, ...coding };
      return { status: reply.status, headers, body: sent };
    };
  };
}

/** Adds members to the body of right responses. */
export function further(kinds: Kind[], members: string): Patch {
  return (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      const reply = await handle(request);
      if (!kinds.includes(kindOf(reply, request)) || typeof reply.body !== 'object') return reply;
      const text = `${JSON.stringify(reply.body).slice(0, -1)},${members}}`;
      return {
        ...reply,
        headers: { 'content-type': 'application/json', ...reply.headers },
        body: text,
      };
    };
  };
}

/** Adds headers to every response. */
export function headers(make: () => Record<string, string>): Patch {
  return (service) => {
    const { write } = service;
    const more = make();
    service.write = (response, reply, request) =>
      write(response, { ...reply, headers: { ...more, ...reply.headers } }, request);
  };
}

/** Returns so many items, joined by commas. */
const repeated = (item: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => item(index)).join();

const listOf = (data: string, total: number | string) => `{"data":[${data}],"total":${total}}`;
const user = (index: number) =>
  `{"id":${index},"email":"u${index}@example.org","name":"User ${index}"}`;

/** A user with a dozen members. */
const largeUser = (index: number) =>
  `{"id":${index},"email":"u${index}@example.org","name":"U","a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9}`;

const KINDS: Kind[] = ['list', 'record', 'refusal'];

/** Services whose responses are too large, after one that conforms. */
export const attacks: Attack[] = [
  { name: 'nothing', patch: withPeople },
  ...KINDS.flatMap((kind) => [
    { name: `60 MiB of spaces, ${kind}`, patch: body([kind], () => ' '.repeat(60 * MIB)) },
    {
      name: `60 MiB of one string, ${kind}`,
      patch: body([kind], () => `"${'x'.repeat(60 * MIB)}"`),
    },
    {
      name: `60 MiB of two-byte characters, ${kind}`,
      patch: body([kind], () => `"${'x'.repeat(63 * MIB)}一"`),
    },
    {
      name: `60 MiB of two-byte characters from the start, ${kind}`,
      patch: body([kind], () => `"一${'x'.repeat(63 * MIB)}"`),
    },
    {
      name: `60 MiB of backslashes, ${kind}`,
      patch: body([kind], () => `"${'\\'.repeat(60 * MIB)}"`),
    },
    {
      name: `1,000,000 backslashes, ${kind}`,
      patch: body([kind], () => `"${'\\'.repeat(1_000_000)}"`),
    },
    {
      name: `60 MiB of ampersands, ${kind}`,
      patch: body([kind], () => `"${'&amp;'.repeat(12 * MIB)}"`),
    },
    {
      name: `60 MiB of percents, ${kind}`,
      patch: body([kind], () => `"${'%25'.repeat(20 * MIB)}"`),
    },
    {
      name: `8 MiB, ${kind}`,
      patch: body([kind], () => `{"x":"${'x'.repeat(8 * MIB)}"}`, false),
    },
    {
      name: `30,000,000 brackets, ${kind}`,
      patch: body([kind], () => '['.repeat(30_000_000)),
    },
    {
      name: `50,000,000 digits, ${kind}`,
      patch: body([kind], () => listOf('', '1'.repeat(50_000_000))),
    },
    {
      name: `1,000 digits, many, ${kind}`,
      patch: body([kind], () =>
        listOf(
          repeated(() => '1'.repeat(999), 60_000),
          0,
        ),
      ),
    },
    {
      name: `3,000,000 odd numbers, ${kind}`,
      patch: body([kind], () =>
        listOf(
          repeated(() => '1.0', 2_900_000),
          0,
        ),
      ),
    },
    {
      name: `1 MiB of empty arrays, ${kind}`,
      patch: body([kind], () => `{"x":[${repeated(() => '[]', 340_000)}]}`),
    },
  ]),
  {
    name: 'a million users',
    patch: body(['list'], () => listOf(repeated(user, 1_000_000), 1_000_000)),
  },
  {
    name: 'a million strings',
    patch: body(['list'], () =>
      listOf(
        repeated((index) => `"${index}"`, 2_900_000),
        1,
      ),
    ),
  },
  {
    name: 'a list of empty objects',
    patch: body(['list'], () =>
      listOf(
        repeated(() => '{}', 1_490_000),
        1_490_000,
      ),
    ),
  },
  {
    name: 'a list of empty arrays',
    patch: body(['list'], () =>
      listOf(
        repeated(() => '[]', 1_490_000),
        1_490_000,
      ),
    ),
  },
  {
    name: 'a list of 3,000,000 members',
    patch: body(
      ['list'],
      () => `{"data":[],"total":0,${repeated((index) => `"k${index}":1`, 2_900_000)}}`,
    ),
  },
  {
    name: 'a list of 200,000 users of a dozen members',
    patch: body(['list'], () => listOf(repeated(largeUser, 200_000), 200_000)),
  },
  {
    name: 'a list of 200,000 users with odd numbers',
    patch: body(['list'], () =>
      listOf(
        repeated((index) => largeUser(index).replace('"a":1', '"a":1.0'), 200_000),
        200_000,
      ),
    ),
  },
  {
    name: 'a list of 500,000 users',
    patch: body(['list'], () => listOf(repeated(user, 500_000), 500_000)),
  },
  {
    name: 'records with 350,000 arrays',
    patch: further(['record'], `"x":[${repeated(() => '[]', 340_000)}]`),
  },
  {
    name: 'records with 1 MiB of members',
    patch: further(
      ['record'],
      repeated((index) => `"k${index}":${index}`, 70_000),
    ),
  },
  {
    name: 'records with 1 MiB of long identifiers',
    patch: further(
      ['record'],
      repeated((index) => `"${'i'.repeat(900)}${index}id":"${index}"`, 1000),
    ),
  },
  {
    name: 'records with deep identifiers',
    patch: further(
      ['record'],
      `${`"x":{"${'i'.repeat(900)}id":{`.repeat(400)}"id":1${'}'.repeat(800)}`,
    ),
  },
  {
    name: 'records with 20,000 other users',
    patch: further(
      ['record'],
      `"x":[${repeated(() => '{"email":"ada@example.org","name":"Ada Lovelace"}', 20_000)}]`,
    ),
  },
  {
    name: '3,000 headers',
    patch: headers(() =>
      Object.fromEntries(
        Array.from({ length: 3000 }, (_, index) => [`x-${index}`, 'x'.repeat(20)]),
      ),
    ),
  },
  { name: '100 kB of one header', patch: headers(() => ({ 'x-a': 'x'.repeat(100_000) })) },
  {
    name: '100 kB of backslashes in a header',
    patch: headers(() => ({ 'x-a': '\\'.repeat(100_000) })),
  },
  {
    name: '1,000 headers of 100 characters',
    patch: headers(() =>
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, index) => [`x-${index}`, 'x'.repeat(100)]),
      ),
    ),
  },
  {
    name: 'a Content-Encoding of 12,000 no-break spaces',
    patch: headers(() => ({ 'content-encoding': '\u00a0'.repeat(12_000) })),
  },
  {
    name: 'a user of the run 200,000 times',
    patch: (service) => {
      service.list = () => {
        const newest = service.users.at(-1);
        const items = newest ? repeated(() => JSON.stringify(newest), 200_000) : '';
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: listOf(items, newest ? 200_000 : 0),
        };
      };
    },
  },
  {
    name: 'users of the run with many arrays each in the list',
    patch: (service) => {
      service.list = () => {
        const items = service.users.map(
          (user) => `${JSON.stringify(user).slice(0, -1)},"x":[${'[],'.repeat(20_000)}0]}`,
        );
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: listOf(items.join(), service.users.length),
        };
      };
    },
  },
  {
    name: 'other users with names of 8 MiB',
    patch: (service) => {
      const name = 'x'.repeat(8 * MIB);
      for (let index = 0; index < 6; index += 1)
        service.users.push({ id: `u${index}`, email: `u${index}@example.org`, name: name + index });
    },
  },
];
