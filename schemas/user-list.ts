import { data, total, userList, users } from './user-list.compiled.js';

const validators = { userList, data, total, users };

/** The first fault of a value. */
export interface SchemaFault {
  /** A JSON Pointer to the wrong part; empty for the whole value. */
  pointer: string;
  message: string;
  /** The member that is missing, if one is. */
  missing?: string;
}

/** Validates the body of a list response, or one part of it, against `user-list.schema.json`. */
export const userListFault = (
  value: unknown,
  part: keyof typeof validators = 'userList',
): SchemaFault | undefined => faultBy(validators[part], value);

/** A function that ajv has compiled. Once it has returned false, it has the errors. */
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

/** Validates a value with a compiled function. Returns undefined if the value is valid. */
export function faultBy(validate: Validation, value: unknown): SchemaFault | undefined {
  if (validate(value)) return undefined;
  const [{ keyword, instancePath, message, params }] = validate.errors as [ValidationError];
  const detail = keyword === 'additionalProperties' ? ` ("${params.additionalProperty}")` : '';
  const fault = { pointer: instancePath, message: `${message}${detail}` };
  return keyword === 'required' ? { ...fault, missing: `${params.missingProperty}` } : fault;
}
