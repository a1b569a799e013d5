import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lint, type NormalizedProblem } from '@redocly/openapi-core';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import createUser from '../../schemas/create-user-request.schema.json' with { type: 'json' };
import user from '../../schemas/user.schema.json' with { type: 'json' };
import userList from '../../schemas/user-list.schema.json' with { type: 'json' };
import { components, misfit, OPENAPI } from '../openapi.ts';
import { overhear } from '../overhear.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';

test('the OpenAPI document is a good one by the strictest rules of its linter', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lint({ ref: fileURLToPath(OPENAPI), config });
  expect(problems.map(({ ruleId, message }: NormalizedProblem) => `${ruleId}: ${message}`)).toEqual(
    [],
  );
});

test('generators and mocks get one file: schemas by name with an example each, plain JSON, and an address that ends in /v1', () => {
  const text = readFileSync(OPENAPI, 'utf8');
  for (const [, target] of text.matchAll(/\$ref: (.*)/g))
    expect(target).toMatch(/^'#\/components\//);
  expect(text).not.toMatch(/\$defs|\*\/\*/);
  expect(text).toContain("- url: '{root}/v1'\n");
  const { schemas } = components;
  expect(Object.keys(schemas)).toEqual(['User', 'UserList', 'CreateUser']);
  for (const schema of Object.values(schemas)) expect(schema).toHaveProperty('examples');
});

test('its schemas are those with which the suite validates', () => {
  const { User, UserList, CreateUser } = components.schemas;
  for (const [schema, { type, required, properties }] of [
    [User, user],
    [CreateUser, createUser],
  ] as const) {
    expect(schema).toMatchObject({ type, required, properties });
  }
  const { data, total, users } = userList.$defs;
  expect(UserList).toMatchObject({
    required: [...data.required, ...total.required],
    properties: total.properties,
  });
  const { type } = data.properties.data;
  expect(users.properties.data.items.$ref).toBe(user.$id);
  expect(UserList).toMatchObject({
    properties: { data: { type, items: { $ref: '#/components/schemas/User' } } },
  });
});

// Responses of the reference and of all variants match the document: see variants.test.ts.
test.each([
  ['data is null when there are none', 'GET /users → 200: body/data must be array'],
  ['the list is a bare array', 'GET /users → 200: body must be object'],
  ['data is an object by identifier', 'GET /users → 200: body/data must be array'],
  ['the array is called users', "GET /users → 200: body must have required property 'data'"],
  ['total is a string', 'GET /users → 200: body/total must be integer'],
  ['total is missing', "GET /users → 200: body must have required property 'total'"],
  ['total is -1', 'GET /users → 200: body/total must be >= 0'],
  ['the list shows identifiers only', 'GET /users → 200: body/data/0 must be object'],
  [
    'the list leaves the name out',
    "GET /users → 200: body/data/0 must have required property 'name'",
  ],
  ['users there before have a null name', 'GET /users → 200: body/data/0/name must be string'],
  ['the JSON of the list is cut short', 'GET /users → 200: parse error'],
  ['the create answer is text', 'POST /users → 201: parse error'],
])('a schema finds the fault of a broken response: %s', async (name, fault) => {
  const service = await start(brokenBy(name));
  const { stop } = overhear(service.baseUrl);
  const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
  const user = {
    method: 'POST',
    body: JSON.stringify({ email: 'ada@example.com', name: 'Ada Lovelace' }),
  } as const;
  // The global dispatcher may be the one of Node's fetch, which publishes less.
  const dispatcher = new Agent();
  for (const options of [{}, user, {}]) {
    const { body } = await request(`${service.baseUrl}/users`, { dispatcher, headers, ...options });
    await body.dump();
  }
  await dispatcher.close();
  const misfits = (await stop()).flatMap((response) => misfit(response) ?? []);
  await service.close();
  expect(misfits).toContainEqual(expect.stringContaining(fault));
});
