import type { Source } from '../src/requirement/requirement.ts';

/** The interface in our own words, a numbered rule for each statement. docs/interface.md is made of it. */
export const interfaceRules = [
  {
    title: 'Service',
    rules: {
      '1.1':
        'The service is an HTTP interface with three operations: list all users, create a user, retrieve one user.',
      '1.2': 'Request and response bodies are JSON.',
    },
    open: [
      'Everything beyond the three operations: updating, deleting and the rest.',
      'Events, webhooks and notifications.',
      'Rate, size and paging limits.',
    ],
  },
  {
    title: 'Address and version',
    rules: {
      '2.1': 'The base address ends in the path segment `v1`; the paths of the operations follow it.',
    },
    open: ['When versions come and go.'],
  },
  {
    title: 'Authentication',
    rules: {
      '3.1': 'Every request carries the key in the header `Authorization: Bearer <API_KEY>`.',
      '3.2': 'The key is a secret of the caller. It is never part of a path or of a body.',
    },
    open: [
      'How a key is obtained, what it is good for and when it expires.',
      'Status, body and codes of a refusal, and of any other error.',
    ],
  },
  {
    title: 'User',
    rules: {
      '4.1': 'A user has an `email` and a `name`, both strings, and both are needed to create one.',
      '4.2': 'A user has an identifier, which is used in the path that retrieves the user.',
    },
    open: [
      'Further members of a user, and states that a user may have.',
      'Name, type and format of the identifier.',
      'Which emails and names are accepted: their format, length and uniqueness.',
    ],
  },
  {
    title: 'List users: `GET /users`',
    rules: {
      '5.1': 'The list is that of all users.',
      '5.2': 'The answer is an object with the members `data` and `total`.',
      '5.3': '`data` is an array of users; it is empty when there are none.',
      '5.4': '`total` is an integer: how many users there are.',
    },
    open: ['Query parameters, and with them filtering, paging and sorting.'],
  },
  {
    title: 'Create a user: `POST /users`',
    rules: {
      '6.1': 'An object with `email` and `name` in the request body makes a user.',
    },
    open: ['The status and the body of the answer.'],
  },
  {
    title: 'Retrieve a user: `GET /users/:id`',
    rules: {
      '7.1': 'The identifier in the path retrieves the user that it belongs to.',
    },
    open: ['The body of the answer.'],
  },
] as const;

type Rules = (typeof interfaceRules)[number]['rules'];
type RuleNumber = Rules extends infer R ? (R extends unknown ? keyof R : never) : never;

const ruleTexts = Object.assign({}, ...interfaceRules.map(({ rules }) => rules)) as Record<RuleNumber, string>;

/** A rule of the interface, as the source of a requirement. */
export function rule(number: RuleNumber): Source {
  return { text: `interface, rule ${number}`, rule: ruleTexts[number] };
}
