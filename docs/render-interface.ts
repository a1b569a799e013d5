import { rules } from '../specs/requirement.ts';
import type { Requirement } from '../src/requirement/requirement.ts';

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

/** The anchor of a requirement on the index and on the page of its chapter. */
export const anchorOf = (slug: string): string => slug.replace('.', '-');

/** Renders the interface as parts of a page: each rule with the requirements that come from it. */
export function renderInterface(requirements: readonly Requirement[]): string[] {
  return sections.flatMap(({ title, open }, index) => [
    `### ${index + 1}. ${title}`,
    ...Object.entries(rules)
      .filter(([number]) => number.startsWith(`${index + 1}.`))
      .map(([number, text]) => renderRule(number, text, requirements)),
    `Open: ${open.map((one) => `${one.charAt(0).toLowerCase()}${one.slice(1, -1)}`).join('; ')}.`,
  ]);
}

function renderRule(number: string, text: string, requirements: readonly Requirement[]): string {
  const slugs = requirements
    .filter(({ source }) => source.text.endsWith(`rule ${number}`))
    .map(({ slug }) => slug);
  const links = slugs.map((slug) => `[\`${slug}\`](#${anchorOf(slug)})`);
  return [
    `<a id="${number}"></a>**${number}** ${text}`,
    ...(links.length ? [links.join(' · ')] : []),
  ].join('\n\n');
}
