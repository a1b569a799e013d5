import { LIST, noHeader, on } from '../../specs/authentication.ts';
import { chapter, rfc, should } from '../../specs/requirement.ts';
import { show } from '../../src/http/value.ts';
import { type Attempt, attempted } from '../../src/plan/steps/credentials.ts';
import { each, notApplicable, that } from '../../src/requirement/finding.ts';
import { bothWays as judgedBothWays } from '../judged-by-hand.ts';
import { exchange } from '../made-evidence.ts';
import { broken } from '../services/broken/broken.ts';
import { variant } from '../services/variants/variant.ts';

// The code of docs/adding-a-check.md, to the letter: no part of the suite.

export const requirements = chapter('Authentication', [
  should('authentication.challenge-scheme', rfc(6750, '3'), {
    sentence: 'The challenge of a 401 names the scheme Bearer.',
    evidence: { attempts: attempted(...noHeader) },
    check: ({ attempts }) =>
      each(attempts, ({ status, exchange }) => {
        if (status !== 401) return notApplicable(`a request without credentials returns ${status}`);
        const headers = exchange.response?.headers ?? [];
        const challenges = headers
          .filter(([name]) => name.toLowerCase() === 'www-authenticate')
          .map(([, value]) => value);
        if (challenges.length === 0) return notApplicable('a 401 without any challenge');
        const named = challenges.some((challenge) => /(^|,)\s*bearer\b/i.test(challenge));
        return that(named, 'a challenge with the scheme Bearer', show(challenges.join(', ')), exchange);
      }),
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

const attempt = (status: number, changes: Partial<Attempt>): Attempt => ({
  ...{ one: on(LIST, 'a case', {}), exchange: exchange({ status }), status, ok: status < 300, before: [] },
  ...changes,
});

/** The tests of the check, by evidence that is made by hand. */
export function testByHand(): void {
  const bothWays = (slug: string, holds: object, fails: object, reason: string) =>
    judgedBothWays(slug, { ...holds }, { ...fails }, reason, requirements);
  const challenge = (value: string) => {
    const one = exchange({ status: 401, response: { headers: [['WWW-Authenticate', value]] } });
    return { attempts: [attempt(401, { exchange: one })] };
  };
  bothWays('authentication.challenge-scheme', challenge('Bearer'), challenge('Basic'), 'got "Basic"');
}
