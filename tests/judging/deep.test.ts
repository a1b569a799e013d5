import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { deepServices } from '../services/deep/index.ts';
import { requestsUntilFound } from './deep.ts';

/**
 * One service for each kind of depth. `npm run test:thorough` explores all services with five
 * seeds.
 */
const CHOSEN: [depth: string, service: string][] = [
  ['many users', 'list.contains-created: the list ends after 50 users, and so does its total'],
  [
    'many requests at once',
    'retrieve.concurrent: with more than 20 retrievals at once two are mixed up',
  ],
  ['strings', 'round-trip.letters-beyond-ascii: Katakana are not in the charset'],
  ['words', 'retrieve.created-user: the word Con is a device'],
  ['headers', 'http.equivalent-requests: a retrieval with x-request-id is 406'],
  ['identifiers', 'retrieve.unknown: half an identifier is enough'],
  ['credentials', 'authentication.header-syntax: a second key behind the key is let in'],
  ['trusted headers', 'guard.trusted-headers: X-Real-Ip: 127.0.0.1 is let in'],
  ['bodies', 'create.email-required: a member EmailAddress is taken for the email'],
  ['a pause', 'authentication.retrieve-needs-key: after a pause the guard is not awake yet'],
  ['many rejections', 'authentication.list-needs-key: after 200 refusals the guard is off'],
  ['sequences', 'retrieve.repeatable: after a list by query the next user is nobody'],
];

const titleOf = ({ slug, name }: { slug: string; name: string }) => `${slug}: ${name}`;

describe('a thorough run finds a fault that needs depth', () => {
  test.for(CHOSEN)('%s: %s', async ([, title]) => {
    const service = deepServices.find((deep) => titleOf(deep) === title);
    expect(service, 'no such service').toBeDefined();
    const requests = service && (await requestsUntilFound(service, 2026));
    expect(requests, 'the request that shows it').toBeDefined();
  });
});

test('each deep service has a unique name, and requirements that exist', () => {
  const titles = deepServices.map(titleOf);
  expect(titles.filter((title, index) => titles.indexOf(title) < index)).toEqual([]);
  const slugs = requirements.map(({ slug }) => slug);
  const used = deepServices.flatMap(({ slug, beside }) => [slug, ...beside]);
  expect(used.filter((slug) => !slugs.includes(slug))).toEqual([]);
});
