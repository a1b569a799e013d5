import { rules } from '../specs/requirement.ts';
import type { Requirement } from '../src/requirement/requirement.ts';
import { anchorOf } from './render-requirements.ts';

/** The sections of the interface, and what each leaves open. Their rules begin with their number. */
const sections = [
  {
    title: 'Service',
    open: [
      'Everything beyond the three operations: updating, deleting and the rest.',
      'Events, webhooks and notifications.',
      'Rate, size and paging limits.',
    ],
  },
  { title: 'Address and version', open: ['When versions come and go.'] },
  {
    title: 'Authentication',
    open: [
      'How a key is obtained, its scopes and its expiry.',
      'Status, body and codes of a rejection, and of any other error.',
    ],
  },
  {
    title: 'User',
    open: [
      'Further members of a user, and states that a user may have.',
      'Name, type and format of the identifier.',
      'Which emails and names are accepted: their format, length and uniqueness.',
    ],
  },
  {
    title: 'List users: `GET /users`',
    open: ['Query parameters, and with them filtering, paging and sorting.'],
  },
  { title: 'Create a user: `POST /users`', open: ['The status and the body of the response.'] },
  { title: 'Retrieve a user: `GET /users/:id`', open: ['The body of the response.'] },
];

/** Renders the interface as Markdown: each rule with the requirements that come from it. */
export function renderInterface(requirements: Requirement[]): string {
  return [
    '# The interface',
    '<!-- Made by `npm run docs` from specs/rules.json and docs/render-interface.ts. -->',
    'The User Management Service interface in our own words. Each rule has a number, and below it the requirements that come from it. Everything that a section leaves open is free: no implementation is judged by it.',
    'For generators, mocks and validators there is `schemas/openapi.yaml` (OpenAPI 3.1), which leaves the same things open. In the package it is `user-management-conformance/schemas/openapi.yaml`.',
    ...sections.flatMap(({ title, open }, index) => [
      `## ${index + 1}. ${title}`,
      ...Object.entries(rules)
        .filter(([number]) => number.startsWith(`${index + 1}.`))
        .map(([number, text]) => renderRule(number, text, requirements)),
      `Open: ${open.map((one) => `${one.charAt(0).toLowerCase()}${one.slice(1, -1)}`).join('; ')}.`,
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderRule(number: string, text: string, requirements: Requirement[]): string {
  const slugs = requirements
    .filter(({ source }) => source.text.endsWith(`rule ${number}`))
    .map(({ slug }) => slug);
  const links = slugs.map((slug) => `[\`${slug}\`](requirements.md#${anchorOf(slug)})`);
  return [
    `<a id="${number}"></a>**${number}** ${text}`,
    ...(links.length ? [links.join(' · ')] : []),
  ].join('\n\n');
}
