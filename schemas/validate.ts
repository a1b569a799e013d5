import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import knownFailures from './known-failures.schema.json' with { type: 'json' };
import report from './report.schema.json' with { type: 'json' };
import user from './user.schema.json' with { type: 'json' };
import userList from './user-list.schema.json' with { type: 'json' };

export const schemas = [user, userList, knownFailures, report];

// The schemas are checked against the meta-schema in the self-tests: loading it here would double the cold start.
const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  meta: false,
  validateSchema: false,
  formats: { date: isDate, uri: (text) => URL.canParse(text) },
});
let added = false;

/** What is wrong with a value: where (a JSON Pointer, empty for the whole) and what. */
export interface SchemaFault {
  pointer: string;
  message: string;
}

/**
 * Validates a value against a schema of schemas/, named by its file (`user-list.schema.json`) or a part of it
 * (`user-list.schema.json#/$defs/data`). Returns undefined when it is valid, else the first fault.
 */
export function schemaFault(id: string, value: unknown): SchemaFault | undefined {
  if (!added) ajv.addSchema(schemas);
  added = true;
  const validate = ajv.getSchema(id) as ValidateFunction;
  return validate(value) ? undefined : describe(validate.errors?.[0]);
}

/** The same as one line such as `body/data/0/email must be string`, with `subject` in front. */
export function schemaError(id: string, value: unknown, subject: string): string | undefined {
  const fault = schemaFault(id, value);
  return fault && `${subject}${fault.pointer} ${fault.message}`;
}

function describe(error: ErrorObject | undefined): SchemaFault {
  const detail = error?.keyword === 'additionalProperties' ? ` ("${error.params.additionalProperty}")` : '';
  return { pointer: error?.instancePath ?? '', message: `${error?.message ?? 'is invalid'}${detail}` };
}

/** A day that exists: JavaScript's Date makes the second of March of 2026-02-30. */
function isDate(text: string): boolean {
  const date = new Date(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
