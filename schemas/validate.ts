import { knownFailures, report, run } from './own-files.compiled.js';
import { faultBy, type SchemaFault } from './user-list.ts';

const validators = { knownFailures, report, run };

/** A kind of the suite's own files. */
export type OwnFile = keyof typeof validators;

/**
 * Validates one of the suite's own files against the schema of its kind. Returns undefined if the
 * value is valid. `user-list.ts` validates lists of users.
 */
export const schemaFault = (kind: OwnFile, value: unknown): SchemaFault | undefined =>
  faultBy(validators[kind], value);

/**
 * Does the same and returns a text such as `report/counts must be object` that begins with
 * `subject`.
 */
export function schemaError(kind: OwnFile, value: unknown, subject: string): string | undefined {
  const fault = schemaFault(kind, value);
  return fault && `${subject}${fault.pointer} ${fault.message}`;
}
