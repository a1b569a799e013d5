import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { expect, test } from 'vitest';
import createUserRequest from './create-user-request.schema.json' with { type: 'json' };
import knownFailures from './known-failures.schema.json' with { type: 'json' };
import report from './report.schema.json' with { type: 'json' };
import run from './run.schema.json' with { type: 'json' };
import user from './user.schema.json' with { type: 'json' };
import userListSchema from './user-list.schema.json' with { type: 'json' };
import { userListFault } from './user-list.ts';

const schemas = [user, userListSchema, knownFailures, report, run, createUserRequest];

test('the schemas are valid by their meta-schema', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false });
  for (const schema of schemas) expect(ajv.validateSchema(schema), schema.$id).toBe(true);
});

test('the schema of a report compiles alone, and has the known failures as their own schema does', () => {
  const formats = { date: true, 'date-time': true, uri: true } as const;
  expect(() =>
    new Ajv2020({ strict: true, strictRequired: false, formats }).compile(report),
  ).not.toThrow();
  expect(knownFailures).toMatchObject(report.$defs.knownFailures);
});

test('the compiled validation of the user list is that of its schema (npm run docs makes it)', async () => {
  const code = { source: true, esm: true };
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    code,
    schemas: [user, userListSchema],
  });
  const part = (name: string) => `user-list.schema.json#/$defs/${name}`;
  const refs = {
    userList: 'user-list.schema.json',
    data: part('data'),
    total: part('total'),
    users: part('users'),
  };
  await expect(`${standalone.default(ajv, refs)}\n`).toMatchFileSnapshot('user-list.compiled.js');
});

test.each([
  [{ data: [], total: 0 }, undefined],
  [{ data: [{ email: 'a', name: 'b', more: 1 }], total: 1, next: null }, undefined],
  [{ data: null, total: 0 }, 'body/data must be array'],
  [{ data: [], total: '0' }, 'body/total must be integer'],
  [{ data: [], total: -1 }, 'body/total must be >= 0'],
  [{ data: [{ email: 1, name: 'b' }], total: 1 }, 'body/data/0/email must be string'],
  [[], 'body must be object'],
])('the user list %o: %s', (value, fault) => {
  const found = userListFault(value);
  expect(found && `body${found.pointer} ${found.message}`).toBe(fault);
});
