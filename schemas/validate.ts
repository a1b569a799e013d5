import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import knownFailures from './known-failures.schema.json' with { type: 'json' };
import report from './report.schema.json' with { type: 'json' };
import run from './run.schema.json' with { type: 'json' };
import { faultBy } from './user-list.ts';

// The schemas are checked against the meta-schema in the self-tests: loading it here would double the cold start.
const ajv = new Ajv2020({
  schemas: [knownFailures, report, run],
  strict: true,
  strictRequired: false,
  meta: false,
  validateSchema: false,
  formats: { date: isDate, 'date-time': isInstant, uri: (text) => URL.canParse(text) },
});

/**
 * Validates a file of the suite's own kinds against its schema, which is named by its file (`report.schema.json`).
 * Returns undefined when it is valid, else the first fault. Lists of users are validated by `user-list.ts`.
 */
export const schemaFault = (id: string, value: unknown) =>
  faultBy(ajv.getSchema(id) as ValidateFunction, value);

/** The same as one line such as `report/counts must be object`, with `subject` in front. */
export function schemaError(id: string, value: unknown, subject: string): string | undefined {
  const fault = schemaFault(id, value);
  return fault && `${subject}${fault.pointer} ${fault.message}`;
}

/** A day that exists: JavaScript's Date makes the second of March of 2026-02-30. */
function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}

/** A time of such a day, in UTC. */
function isInstant(text: string): boolean {
  const [day = ''] = text.split('T');
  return /T\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && isDate(day) && !Number.isNaN(Date.parse(text));
}
