import { firstFault, type SchemaFault } from './fault.ts';
import { data, total, userList, users } from './user-list.compiled.js';

const parts = { data, total, users };

/** Validates the body of a list answer, or one part of it, against `user-list.schema.json`. Returns the first fault. */
export function userListFault(value: unknown, part?: keyof typeof parts): SchemaFault | undefined {
  const validate = part === undefined ? userList : parts[part];
  return validate(value) ? undefined : firstFault(validate.errors);
}
