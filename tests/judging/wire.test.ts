import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { judgeAll } from '../run.ts';
import { type Request, start } from '../services/service.ts';

const WATCHED = ['authorization', 'x-api-key', 'x-auth-token', 'proxy-authorization', 'cookie'];

/** Where a request carries credentials, and nothing of the rest: `authorization=Bearer …`, `query=…`, `body=…`. */
function credentialsOf({ headers, query, body }: Request, key: string): string {
  const kinds = Object.entries({
    header: Object.values(headers),
    query: [...query.values()],
    cookie: [headers.cookie],
  });
  const holding = kinds.filter(([, values]) => values.some((value) => `${value}`.includes(key))).map(([kind]) => kind);
  if (holding.length > 1) return [...holding, ...(body.includes(key) ? ['body'] : [])].join(', ');
  const inHeaders = WATCHED.filter((name) => headers[name] !== undefined).map((name) => `${name}=${headers[name]}`);
  const inQuery = [...query].map(([name, value]) => `query ${name}=${value}`);
  const members = body.includes(key) ? Object.entries(JSON.parse(body)).filter(([, value]) => value === key) : [];
  return [...inHeaders, ...inQuery, ...members.map(([name, value]) => `body ${name}=${value}`)].join(', ') || 'nothing';
}

test.concurrent('every credential case reaches each operation on the wire, and nothing else with it', async () => {
  const key = 'Abc-123.def';
  const seen = {
    'GET /users': new Set<string>(),
    'POST /users': new Set<string>(),
    'GET /users/:id': new Set<string>(),
  };
  const service = await start((patched) => {
    patched.key = key;
    const { handle } = patched;
    patched.handle = (request) => {
      const operation = `${request.method} /users${/\/users\/./.test(request.path) ? '/:id' : ''}` as keyof typeof seen;
      seen[operation].add(credentialsOf(request, key));
      return handle(request);
    };
  });
  await judgeAll(service).finally(service.close);
  const everywhere = [
    `authorization=Bearer ${key}`,
    'nothing',
    'authorization=',
    'authorization=Bearer',
    'authorization=Bearer Abc-123.de',
    'authorization=Bearer bc-123.def',
    'authorization=Bearer aBC-123.DEF',
    `authorization=Basic ${key}`,
    `authorization=Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    `authorization=Token ${key}`,
    `authorization=${key}`,
    `proxy-authorization=Bearer ${key}`,
    `authorization=MyBearer ${key}`,
    `authorization=Bearers ${key}`,
    `authorization=Token Bearer ${key}`,
    'authorization=Bearer Bbc-123.def',
    'authorization=Bearer Abc-123.dee',
  ];
  const onOne = [
    `authorization=Bearer${key}`,
    `authorization=Bearer: ${key}`,
    `authorization=Bearer=${key}`,
    `authorization=Bearer "${key}"`,
    'authorization=Bearer %41%62%63%2d%31%32%33%2e%64%65%66',
    `authorization=Bearer ${Buffer.from(key).toString('base64')}`,
    `authorization=Bearer token ${key}`,
    `authorization=Bearer ${key} token`,
    `authorization=Basic eDp5, Bearer ${key}`,
  ];
  const further: Record<string, string[]> = {
    'GET /users': [
      `authorization=bearer ${key}`,
      'authorization=Bearer Abc123def',
      'authorization=Bearer Ábc-123.déf',
      'header, query, cookie',
    ],
    'GET /users/:id': [`authorization=BEARER ${key}`, 'authorization=Bearer Abc-132.def', 'header, query, cookie'],
    'POST /users': ['authorization=Bearer 123', 'authorization=Bearer ABc-123.def', 'header, query, cookie, body'],
  };
  for (const [operation, cases] of Object.entries(seen)) {
    const expected = [...everywhere, ...(further[operation] ?? [])];
    const others = [...cases].filter((one) => !expected.includes(one));
    expect([...cases].filter((one) => expected.includes(one)).sort()).toEqual([...expected].sort());
    expect(others.length, operation).toBeGreaterThan(0);
    // Wrong keys, and what each run has others of; and the right key, with what is none.
    const isAlone = (one: string) => /^authorization=[^,]*$/.test(one);
    const isRight = (one: string) => one.startsWith(`authorization=Bearer ${key}, `);
    // One of the spellings of a path that take turns.
    const isQuery = (one: string) => one.startsWith('query debug=true, ');
    expect(others.filter((one) => ![isAlone, isRight, isQuery].some((is) => is(one)) && !onOne.includes(one))).toEqual(
      [],
    );
  }
  const all = Object.values(seen).flatMap((cases) => [...cases]);
  expect(onOne.filter((one) => all.filter((sent) => sent === one).length !== 1)).toEqual([]);
});

test.concurrent('a redirect is not followed: the other origin sees nothing', async () => {
  let seen = 0;
  const other = createServer((_, response) => {
    seen += 1;
    response.end('{}');
  });
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1/users`;
  const service = await start((patched) => {
    patched.handle = () => ({ status: 307, headers: { location } });
  });
  const run = await judgeAll(service).finally(service.close);
  other.close();
  expect(seen).toBe(0);
  expect(run.slugs('failed')).toContain('list.answers');
});

test.concurrent('a target that sends the key or its mark back never gets it in a path', async () => {
  const paths: string[] = [];
  const service = await start((patched) => {
    const { handle, key } = patched;
    patched.handle = async (request) => {
      if (!request.query.has('access_token') && !request.query.has('api_key')) paths.push(request.path);
      return handle(request);
    };
    patched.created = () => ({
      status: 201,
      headers: { location: '/v1/users/<API_KEY>' },
      body: { id: '<API_KEY>', uuid: key, _id: `Bearer ${key}`, link: `/v1/users/${key}` },
    });
    patched.item = (user) => ({ ...user, id: key, realId: user.id });
  });
  const run = await judgeAll(service).finally(service.close);
  expect(run.slugs('passed')).toContain('retrieve.exact-user');
  expect(
    paths.filter((path) => path.includes(service.apiKey) || path.includes(encodeURIComponent(service.apiKey))),
  ).toEqual([]);
});

test.concurrent.each([
  ['the key', (key: string) => `"${key}"`],
  ['its mark', () => '"<API_KEY>"'],
])('a target that sends %s as the ETag never gets it in If-None-Match', async (_, tagOf) => {
  const sent: (string | undefined)[] = [];
  const service = await start((patched) => {
    const { list, key } = patched;
    patched.list = async (request) => {
      sent.push(request.headers['if-none-match']);
      return { ...(await list(request)), headers: { etag: tagOf(key) } };
    };
  });
  await judgeAll(service).finally(service.close);
  expect(sent.filter((tag) => tag?.includes(service.apiKey))).toEqual([]);
});

test.concurrent('only GET and POST are sent: on the documented paths, spellings of them, and addresses beside the version', async () => {
  const sent = new Set<string>();
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = (request) => {
      sent.add(`${request.method} ${request.path.replace(/(?<=(s|%73)\/+)[^/].*/i, ':id')}`);
      return handle(request);
    };
  });
  await judgeAll(service, { choices: 'tests' }).finally(service.close);
  expect([...sent].sort()).toEqual([
    'GET /',
    'GET /V1/users',
    'GET /users',
    'GET /v1/',
    'GET /v1/%75sers',
    'GET /v1//users',
    'GET /v1/USERS',
    'GET /v1/USERS/:id',
    'GET /v1/users',
    'GET /v1/users%23',
    'GET /v1/users%2F',
    'GET /v1/users.json',
    'GET /v1/users/',
    'GET /v1/users//',
    'GET /v1/users//:id',
    'GET /v1/users/:id',
    'GET /v1/users;x=1',
    'GET /v999999/users',
    'POST /v1%2Fusers',
    'POST /v1/%75sers',
    'POST /v1/USERS',
    'POST /v1/users',
    'POST /v1/users/',
    'POST /v1/users/:id',
  ]);
});

test.concurrent('a read-only run creates nothing, and judges what can be judged without', async () => {
  const methods = new Set<string>();
  const service = await start((patched) => {
    patched.users.push({ id: 'ada', email: 'ada@example.org', name: 'Ada Lovelace' });
    const { handle } = patched;
    patched.handle = (request) => {
      methods.add(request.method);
      return handle(request);
    };
  });
  const run = await judgeAll(service, { readOnly: true }).finally(service.close);
  expect([...methods]).toEqual(['GET']);
  expect(run.slugs('failed')).toEqual([]);
  expect(run.slugs('not-verified')).toEqual([]);
  expect(run.slugs('passed')).toContain('authentication.retrieve-needs-key');
  expect(run.slugs('not-applicable')).toContain('create.answers');
});

test.concurrent('a base address without /v1 is the one failure, with the address that was meant', async () => {
  const service = await start();
  const target = { ...service, baseUrl: service.baseUrl.replace('/v1', '') };
  const run = await judgeAll(target).finally(service.close);
  expect(run.slugs('failed')).toEqual(['versioning.base-address']);
  const told = run.outcomes.find(({ slug }) => slug === 'versioning.base-address')?.reason;
  expect(told).toContain(`did you mean BASE_URL=${service.baseUrl}?`);
});
