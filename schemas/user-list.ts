import { faultBy } from './fault.ts';
import { data, total, userList, users } from './user-list.compiled.js';

const validators = { userList, data, total, users };

/** Validates the body of a list answer, or one part of it, against `user-list.schema.json`. Returns the first fault. */
export function userListFault(value: unknown, part: keyof typeof validators = 'userList') {
  return faultBy(validators[part], value);
}
