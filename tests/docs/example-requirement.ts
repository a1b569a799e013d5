import { statusOf, whyOpen } from '../../specs/expectations.ts';
import { chapter, rfc, should } from '../../specs/requirement.ts';
import { isTelling } from '../../src/http/exchange.ts';
import { type Case, LIST, withPath } from '../../src/requirement/case.ts';
import { verify } from '../../src/requirement/finding.ts';
import { broken } from '../services/broken/broken.ts';
import { variant } from '../services/variants/variant.ts';

// The code of the recipe "Add a requirement" in CONTRIBUTING.md, to the letter: no part of the suite.

const otherPaths: Case[] = [
  { name: 'the path in the singular', operation: LIST, change: withPath(() => '/user') },
];

export const requirements = chapter('List users', [
  should('list.other-path', rfc(9110, '15.5.5'), {
    sentence: 'A path next to /users does not return the user list.',
    cases: otherPaths,
    expect: ({ exchange, isList }) => {
      if (!isTelling(exchange)) return whyOpen(exchange);
      const { path } = exchange.request;
      const got = `${statusOf(exchange)} with the list`;
      return verify(!isList, `no user list at ${path}`, got, exchange);
    },
  }),
]);

export const brokenServices = [
  broken('list.other-path', 'the singular is the list as well', (service) => {
    const { elsewhere } = service;
    service.elsewhere = (request) =>
      request.path === '/v1/user' && service.authorised(request)
        ? { status: 200, body: { data: service.users, total: service.users.length } }
        : elsewhere(request);
  }),
];

export const variants = [
  variant('errors', 'a page in the place of every unknown path', (service) => {
    const headers = { 'content-type': 'text/html' };
    service.elsewhere = () => ({ status: 200, headers, body: '<p>Welcome</p>' });
  }),
];
