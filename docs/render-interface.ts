import { interfaceRules } from '../specs/interface.ts';
import type { Requirement } from '../src/requirement/requirement.ts';

/** Renders the interface as Markdown: each rule with the requirements that come from it. */
export function renderInterface(requirements: Requirement[]): string {
  return [
    '# The interface',
    '<!-- Made by `npm run docs` from specs/interface.ts. -->',
    'The User Management Service interface in our own words. Each rule has a number, to which the requirements point that come from it; they are listed behind it. What a section leaves open is free: no implementation is judged by it.',
    'For generators, mocks and validators the interface is a file as well: `schemas/openapi.yaml`, OpenAPI 3.1, with all that is open left open. In the package it is `user-management-conformance/schemas/openapi.yaml`.',
    ...interfaceRules.flatMap(({ title, rules, open }, index) => [
      `## ${index + 1}. ${title}`,
      ...Object.entries(rules).map(([number, text]) => renderRule(number, text, requirements)),
      `Open: ${open.map((one) => `${one.charAt(0).toLowerCase()}${one.slice(1, -1)}`).join('; ')}.`,
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderRule(number: string, text: string, requirements: Requirement[]): string {
  const slugs = requirements.filter(({ source }) => source.text.endsWith(`rule ${number}`)).map(({ slug }) => slug);
  const links = slugs.map((slug) => `[\`${slug}\`](requirements.md#${slug.replace('.', '-')})`);
  return [`<a id="${number}"></a>**${number}** ${text}`, ...(links.length ? [links.join(' · ')] : [])].join('\n\n');
}
