import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { expect, test } from 'vitest';
import createUserRequest from './create-user-request.schema.json' with { type: 'json' };
import { formats } from './formats.js';
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

/** The names by which compiled validation exports what parts of the schemas it validates. */
const COMPILED = {
  'user-list.compiled.js': {
    userList: 'user-list.schema.json',
    data: 'user-list.schema.json#/$defs/data',
    total: 'user-list.schema.json#/$defs/total',
    users: 'user-list.schema.json#/$defs/users',
  },
  'own-files.compiled.js': {
    knownFailures: 'known-failures.schema.json',
    report: 'report.schema.json',
    run: 'run.schema.json',
  },
};

/** The line by which compiled validation gets what it calls. */
const IMPORTS = "import { formats, lengthOf } from './formats.js';\n";

test.each(Object.entries(COMPILED))(
  '%s is the validation of its schemas (npm run docs makes it)',
  async (file, parts) => {
    const ajv = new Ajv2020({
      strict: true,
      strictRequired: false,
      schemas,
      formats,
      code: { source: true, esm: true, formats: _`formats` },
    });
    // As a module it can't require: https://github.com/ajv-validator/ajv/issues/2209.
    const code = standalone
      .default(ajv, parts)
      .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'lengthOf');
    expect(code).not.toContain('require(');
    await expect(`${IMPORTS}${code}\n`).toMatchFileSnapshot(file);
  },
);

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
