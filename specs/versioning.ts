import { baseUrl, cases, excluded, Missing, type OrMissing, orMissingOf } from '../src/plan/evidence.ts';
import type { Look } from '../src/plan/look.ts';
import { firstLook } from '../src/plan/steps/first.ts';
import { type FreeCase, type FreeResponse, freeRequests } from '../src/plan/steps/refusals.ts';
import { type Finding, that } from '../src/requirement/finding.ts';
import { chapter, must, ofEach, rfc, rule, should } from './requirement.ts';

/** The list below another base path; where that is the same one, there is none to try. */
const listBelow = (what: string, basePath: (own: string) => string): FreeCase => ({
  what,
  make: (run) => {
    const other = basePath(run.client.basePath);
    if (other === run.client.basePath) throw excluded('BASE_URL does not end in /v1');
    return { request: { ...run.listing(), path: `${other}/users` } };
  },
});
const withoutVersion = listBelow('the address without the version', (own) => own.replace(/\/v1$/, ''));
const unknownVersion = listBelow('an address with a nonexistent version', (own) => own.replace(/\/v1$/, '/v999999'));
const withVersion = listBelow('the address with /v1 appended', (own) => own.replace(/(?<!\/v1)$/, '/v1'));

const isNoList = ({ isList, status, exchange }: FreeResponse): Finding =>
  that(!isList, `no user list at ${exchange.request.path}`, `${status} with one`, exchange);

/** What tells whether only the setting is wrong. */
export const addressEvidence = { look: orMissingOf(firstLook), meant: cases(freeRequests, withVersion) };

/**
 * The address that was meant: the list answers there and not at the one that is set. Undefined where that is not so.
 */
export function meantInstead({ look, meant: [other] }: { look: OrMissing<Look>; meant: OrMissing<FreeResponse>[] }) {
  if (look instanceof Missing || look.ok || other === undefined || other instanceof Missing) return undefined;
  return other.isList ? { first: look.exchange, other: other.exchange } : undefined;
}

export const versioning = chapter('Versioning', [
  must('versioning.base-address', rule('2.1'), {
    sentence: 'The last path segment of the base address is v1.',
    evidence: { baseUrl, ...addressEvidence },
    check: ({ baseUrl, ...address }) => {
      const meant = meantInstead(address);
      const right = `${baseUrl.replace(/\/+$/, '')}/v1`;
      const hint = meant ? `; there is a user list at ${right}: did you mean BASE_URL=${right}?` : '';
      const isRight = /\/v1\/?$/.test(new URL(baseUrl).pathname);
      return that(isRight, 'BASE_URL ending in /v1', `${baseUrl}${hint}`, meant?.first, meant?.other);
    },
  }),

  should('versioning.needs-segment', rfc(3986, '3.3'), {
    sentence: 'The address without the version segment does not behave like this interface.',
    ...ofEach({ elsewhere: cases(freeRequests, withoutVersion) }, isNoList),
  }),

  should('versioning.unknown-version', rfc(3986, '3.3'), {
    sentence: 'An address with a nonexistent version does not behave like this interface.',
    ...ofEach({ elsewhere: cases(freeRequests, unknownVersion) }, isNoList),
  }),
]);
