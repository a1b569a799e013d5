import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import createUserRequest from './create-user-request.schema.json' with { type: 'json' };
import { schemaError, schemas } from './validate.ts';

test('the schemas are valid by their meta-schema', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false });
  for (const schema of [...schemas, createUserRequest]) expect(ajv.validateSchema(schema), schema.$id).toBe(true);
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
  expect(schemaError('user-list.schema.json', value, 'body')).toBe(fault);
});
