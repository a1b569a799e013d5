import { firstFault, type SchemaFault } from './fault.ts';
import { data, total, userList, users } from './user-list.compiled.js';

const parts = { data, total, users };

/** Validates the body of a list answer, or one part of it, against `user-list.schema.json`. Returns the first fault. */
export function userListFault(value: unknown, part?: keyof typeof parts): SchemaFault | undefined {
  const validate = part === undefined ? userList : parts[part];
  return validate(value) ? undefined : firstFault(validate.errors);
}

/** The same as a line such as `body/data/0/email must be string`. */
export function userListError(value: unknown, part?: keyof typeof parts): string | undefined {
  const fault = userListFault(value, part);
  return fault && `body${fault.pointer} ${fault.message}`;
}
