import type { ErrorObject } from 'ajv';

/** What is wrong with a value: where (a JSON Pointer, empty for the whole) and what. */
export interface SchemaFault {
  pointer: string;
  message: string;
  /** The member that is not there. */
  missing?: string;
}

/** The first of the errors that a validation by ajv found. */
export function firstFault(errors: ErrorObject[] | null | undefined): SchemaFault {
  const [error] = errors ?? [];
  const detail = error?.keyword === 'additionalProperties' ? ` ("${error.params.additionalProperty}")` : '';
  return {
    pointer: error?.instancePath ?? '',
    message: `${error?.message ?? 'is invalid'}${detail}`,
    ...(error?.keyword === 'required' && { missing: `${error.params.missingProperty}` }),
  };
}
