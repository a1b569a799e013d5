import type { Source } from '../src/requirement/requirement.ts';

/** The interface in our own words, a numbered rule for each statement. docs/interface.md is made of them. */
export const rules = {
  '1.1': 'The service is an HTTP interface with three operations: list all users, create a user, retrieve one user.',
  '1.2': 'Request and response bodies are JSON.',
  '2.1': 'The base address ends in the path segment `v1`; the paths of the operations follow it.',
  '3.1': 'Every request carries the key in the header `Authorization: Bearer <API_KEY>`.',
  '3.2': 'The key is a secret of the caller. It is never part of a path or of a body.',
  '4.1': 'A user has an `email` and a `name`, both strings, and both are needed to create one.',
  '4.2': 'A user has an identifier, which is used in the path that retrieves the user.',
  '5.1': 'The list contains all users.',
  '5.2': 'The response is an object with the members `data` and `total`.',
  '5.3': '`data` is an array of users; it is empty when there are none.',
  '5.4': '`total` is an integer: how many users there are.',
  '6.1': 'An object with `email` and `name` in the request body makes a user.',
  '7.1': 'The identifier in the path retrieves the user that it belongs to.',
};

/** A rule of the interface, as the source of a requirement. */
export function rule(number: keyof typeof rules): Source {
  return { text: `interface, rule ${number}`, rule: rules[number] };
}
