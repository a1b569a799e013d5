import type { CaseResult } from '../src/history/history.ts';
import { isAnswered } from '../src/http/exchange.ts';
import { type Case, LIST, withBasePath } from '../src/requirement/case.ts';
import { type Finding, notVerified, verify } from '../src/requirement/finding.ts';
import { statusOf } from './expectations.ts';
import { chapter, must, rfc, rule, should } from './requirement.ts';

/** The list below another base path; if that is the same path, there is none to try. */
const listBelow = (name: string, other: (basePath: string) => string): Case => ({
  name,
  operation: LIST,
  change: (usual, context) => {
    const { basePath } = context;
    return other(basePath) === basePath ? undefined : withBasePath(other)(usual, context);
  },
});

const withoutVersion = listBelow('the address without the version', (base) =>
  base.replace(/\/v1$/, ''),
);
const unknownVersion = listBelow('an address with a nonexistent version', (base) =>
  base.replace(/\/v1$/, '/v999999'),
);
function expectNoList({ exchange, isList }: CaseResult): Finding {
  if (!isAnswered(exchange)) return notVerified(`${exchange.failure}`, exchange);
  const path = exchange.request.path;
  return verify(!isList, `no user list at ${path}`, `${statusOf(exchange)} with one`, exchange);
}

export const versioning = chapter('Versioning', [
  must('versioning.base-address', rule('2.1'), {
    sentence: 'The last path segment of the base address is v1.',
    needs: [],
    check: ({ baseUrl, lists }) => {
      const isRight = /\/v1\/?$/.test(new URL(baseUrl).pathname);
      return verify(isRight, 'a base address ending in /v1', baseUrl, lists[0]?.exchange);
    },
  }),

  should('versioning.needs-segment', rfc(3986, '3.3'), {
    sentence: 'The address without the version segment does not behave like this interface.',
    cases: [withoutVersion],
    expect: expectNoList,
  }),

  should('versioning.unknown-version', rfc(3986, '3.3'), {
    sentence: 'An address with a nonexistent version does not behave like this interface.',
    cases: [unknownVersion],
    expect: expectNoList,
  }),
]);
