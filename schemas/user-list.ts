import { data, total, userList, users } from './user-list.compiled.js';

const validators = { userList, data, total, users };

/** Validates the body of a list answer, or one part of it, against `user-list.schema.json`. Returns the first fault. */
export const userListFault = (value: unknown, part: keyof typeof validators = 'userList') =>
  faultBy(validators[part], value);

/** A function that ajv has compiled; after it has returned false it has the errors. */
export interface Validation {
  (value: unknown): boolean;
  errors?: ValidationError[] | null;
}

interface ValidationError {
  keyword: string;
  instancePath: string;
  message: string;
  params: Record<string, unknown>;
}

/**
 * Validates a value by what ajv has compiled. Returns the first fault: where (a JSON Pointer, empty for the whole),
 * what, and the member that is not there; undefined where there is none.
 */
export function faultBy(validate: Validation, value: unknown) {
  if (validate(value)) return undefined;
  const [{ keyword, instancePath, message, params }] = validate.errors as [ValidationError];
  const detail = keyword === 'additionalProperties' ? ` ("${params.additionalProperty}")` : '';
  const missing = keyword === 'required' && { missing: `${params.missingProperty}` };
  return { pointer: instancePath, message: `${message}${detail}`, ...missing };
}
