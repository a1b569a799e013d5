import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { suite } from '../../specs/suite.ts';
import { judgeAll } from '../run.ts';
import { type Request, start } from '../services/service.ts';

const WATCHED = ['authorization', 'x-api-key', 'x-auth-token', 'proxy-authorization', 'cookie'];

/**
 * Returns the credentials of a request and their places: `authorization=Bearer …`, `query …`, `body
 * …`.
 */
function credentialsOf({ headers, query, body }: Request, key: string): string {
  const kinds = Object.entries({
    header: Object.values(headers),
    query: [...query.values()],
    cookie: [headers.cookie],
  });
  const holding = kinds
    .filter(([, values]) => values.some((value) => `${value}`.includes(key)))
    .map(([kind]) => kind);
  if (holding.length > 1) return [...holding, ...(body.includes(key) ? ['body'] : [])].join(', ');
  const inHeaders = WATCHED.filter((name) => headers[name] !== undefined).map(
    (name) => `${name}=${headers[name]}`,
  );
  const inQuery = [...query].map(([name, value]) => `query ${name}=${value}`);
  const members = body.includes(key)
    ? Object.entries(JSON.parse(body)).filter(([, value]) => value === key)
    : [];
  const inBody = members.map(([name, value]) => `body ${name}=${value}`);
  return [...inHeaders, ...inQuery, ...inBody].join(', ') || 'nothing';
}

test.concurrent('each usual credential reaches each operation on the wire, and nothing else with it', async () => {
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
      const suffix = /\/users\/./.test(request.path) ? '/:id' : '';
      const operation = `${request.method} /users${suffix}` as keyof typeof seen;
      seen[operation].add(credentialsOf(request, key));
      return handle(request);
    };
  });
  await judgeAll(service).finally(service.close);
  const expected = [
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
    'authorization=Bearer Bbc-123.def',
    'authorization=Bearer Abc-123.dee',
  ];
  for (const credentials of Object.values(seen)) {
    expect([...credentials]).toEqual(expect.arrayContaining(expected));
  }
  const all = new Set(Object.values(seen).flatMap((credentials) => [...credentials]));
  const further = [
    `authorization=bearer ${key}`,
    `authorization=Bearer${key}`,
    `authorization=Bearer "${key}"`,
    `authorization=Bearer ${key} token`,
    'authorization=Bearer Ábc-123.déf',
  ];
  expect([...all]).toEqual(expect.arrayContaining(further));
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
  expect(run.obstacle).toContain(`redirects GET /v1/users to ${location}: did you mean `);
});

test.concurrent('a target that returns the key or its placeholder never gets it in a path', async () => {
  const paths: string[] = [];
  const service = await start((patched) => {
    const { handle, key } = patched;
    patched.handle = async (request) => {
      if (!request.query.has('access_token') && !request.query.has('api_key'))
        paths.push(request.path);
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
    paths.filter(
      (path) => path.includes(service.apiKey) || path.includes(encodeURIComponent(service.apiKey)),
    ),
  ).toEqual([]);
});

test.concurrent.each([
  ['the key', (key: string) => `"${key}"`],
  ['its placeholder', () => '"<API_KEY>"'],
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

test.concurrent('only GET and POST are sent, and only to spellings of the documented paths', async () => {
  const sent: { method: string; path: string }[] = [];
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = (request) => {
      sent.push(request);
      return handle(request);
    };
  });
  await judgeAll(service).finally(service.close);
  expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
  const paths = new Set(sent.map(({ path }) => decodedTwice(path).toLowerCase()));
  // Other addresses of the list, and a path whose real target is in a header.
  const isDocumented = (path: string) => /users/.test(path) || path === '/' || path === '/v1/';
  expect([...paths].filter((path) => !isDocumented(path))).toEqual([]);
  const posted = sent.filter(({ method }) => method === 'POST').map(({ path }) => path);
  expect(posted.filter((path) => !/^\/v1\b/i.test(path))).toEqual([]);
});

/** Decodes a path twice, as far as it can be decoded. */
function decodedTwice(path: string): string {
  const decodeUsual = (text: string) =>
    text.replaceAll(/%[2-7][0-9a-f]/gi, (encoded) => decodeURIComponent(encoded));
  return decodeUsual(decodeUsual(path));
}

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

test.concurrent('usual requests name the suite and its version in User-Agent', async () => {
  const names: unknown[] = [];
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = (request) => {
      names.push(request.headers['user-agent']);
      return handle(request);
    };
  });
  await judgeAll(service, {}, { only: ['list.answers'] }).finally(service.close);
  expect(names.length).toBeGreaterThan(0);
  expect(names.every((name) => name === `user-management-conformance/${suite.version}`)).toBe(true);
});
