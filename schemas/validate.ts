import { exchange, knownFailures, report, run } from './own-files.compiled.js';
import { faultBy } from './user-list.ts';

const validators = { exchange, knownFailures, report, run };

/** A kind of the suite's own files, or an exchange in one of them. */
export type OwnFile = keyof typeof validators;

/**
 * Validates a file of one of the suite's own kinds against its schema. Returns the first fault,
 * undefined where there is none. Lists of users are validated by `user-list.ts`.
 */
export const schemaFault = (kind: OwnFile, value: unknown) => faultBy(validators[kind], value);

/** The same as one line such as `report/counts must be object`, with `subject` in front. */
export function schemaError(kind: OwnFile, value: unknown, subject: string): string | undefined {
  const fault = schemaFault(kind, value);
  return fault && `${subject}${fault.pointer} ${fault.message}`;
}
