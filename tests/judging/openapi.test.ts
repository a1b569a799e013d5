import { fileURLToPath } from 'node:url';
import { createConfig, lint, type NormalizedProblem } from '@redocly/openapi-core';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { misfit, OPENAPI } from '../openapi.ts';
import { overhear } from '../overhear.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';

test('the OpenAPI document is a good one by the strictest rules of its linter', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lint({ ref: fileURLToPath(OPENAPI), config });
  expect(problems.map(({ ruleId, message }: NormalizedProblem) => `${ruleId}: ${message}`)).toEqual([]);
});

// That every answer of the reference and of all variants fits it: see variants.test.ts.
test.each([
  ['data is null when there are none', 'GET /users → 200: body/data must be array'],
  ['the list is a bare array', 'GET /users → 200: body must be object'],
  ['data is an object by identifier', 'GET /users → 200: body/data must be array'],
  ['the array is called users', "GET /users → 200: body must have required property 'data'"],
  ['total is a string', 'GET /users → 200: body/total must be integer'],
  ['total is missing', "GET /users → 200: body must have required property 'total'"],
  ['total is -1', 'GET /users → 200: body/total must be >= 0'],
  ['the list shows identifiers only', 'GET /users → 200: body/data/0 must be object'],
  ['the list leaves the name out', "GET /users → 200: body/data/0 must have required property 'name'"],
  ['users there before have a null name', 'GET /users → 200: body/data/0/name must be string'],
  ['the JSON of the list is cut short', 'GET /users → 200: it does not parse'],
  ['the create answer is text', 'POST /users → 201: it does not parse'],
])('where a schema can tell, a broken answer does not fit: %s', async (name, fault) => {
  const service = await start(brokenBy(name));
  const { stop } = overhear(service.baseUrl);
  const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
  const user = { method: 'POST', body: JSON.stringify({ email: 'ada@example.com', name: 'Ada Lovelace' }) } as const;
  // Not the global one, which Node's own fetch may have set: that tells less of what it does.
  const dispatcher = new Agent();
  for (const options of [{}, user, {}]) {
    const { body } = await request(`${service.baseUrl}/users`, { dispatcher, headers, ...options });
    await body.dump();
  }
  await dispatcher.close();
  const misfits = (await stop()).flatMap((one) => misfit(one) ?? []);
  await service.close();
  expect(misfits).toContainEqual(expect.stringContaining(fault));
});
