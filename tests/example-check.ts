import { show } from '../src/http/exchange.ts';
import { chapter, rfc, should } from '../src/requirement/requirement.ts';
import { broken } from './services/broken/broken.ts';
import { variant } from './services/variants/variant.ts';

// The code of docs/adding-a-check.md, to the letter: no part of the suite.

export const requirements = chapter('Authentication', [
  should('authentication.challenge-scheme', {
    source: rfc(6750, '3'),
    sentence: 'The challenge of a 401 names the scheme Bearer.',
    needs: ['authentication.challenge'],
    check: async (check) => {
      const { status, exchange } = await check.list({});
      if (status !== 401) check.notApplicable(`a request without credentials is answered ${status}`);
      const headers = exchange.response?.headers ?? [];
      const challenges = headers
        .filter(([name]) => name.toLowerCase() === 'www-authenticate')
        .map(([, value]) => value);
      const named = challenges.some((challenge) => /(^|,)\s*bearer\b/i.test(challenge));
      check.that(named, 'a challenge with the scheme Bearer', show(challenges.join(', ')), exchange);
    },
  }),
]);

export const brokenServices = [
  broken('authentication.challenge-scheme', 'the challenge is Basic alone', (service) => {
    service.refuse = () => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="users"' } });
  }),
];

export const variants = [
  variant('errors', 'a challenge with several schemes', (service) => {
    const challenge = 'Basic realm="users", Bearer realm="users"';
    service.refuse = () => ({ status: 401, headers: { 'www-authenticate': challenge } });
  }),
];
