import type { ErrorObject, ValidateFunction } from 'ajv';

/** What is wrong with a value: where (a JSON Pointer, empty for the whole) and what. */
export interface SchemaFault {
  pointer: string;
  message: string;
  /** The member that is not there. */
  missing?: string;
}

/** Validates a value by what ajv has compiled. Returns the first fault; undefined where there is none. */
export function faultBy(validate: ValidateFunction, value: unknown): SchemaFault | undefined {
  if (validate(value)) return undefined;
  const [{ keyword, instancePath, message, params }] = validate.errors as [ErrorObject];
  const detail = keyword === 'additionalProperties' ? ` ("${params.additionalProperty}")` : '';
  const missing = keyword === 'required' && { missing: `${params.missingProperty}` };
  return { pointer: instancePath, message: `${message}${detail}`, ...missing };
}
