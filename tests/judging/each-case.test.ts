import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { Request } from '../../src/http/exchange.ts';
import {
  BEARER,
  differsFromKey,
  fillIn,
  isSameSignature,
  withKnownMarks,
  wrongKey,
} from '../../src/http/key.ts';
import {
  type Case,
  type CaseContext,
  CREATE,
  isValidCase,
  LIST,
} from '../../src/requirement/case.ts';
import { casesOf } from '../../src/requirement/requirement.ts';

/** Keys of the usual forms: some cases exist only for one of them. */
const KEYS = [
  'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
  '007.a-Bo+1/==',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7-_Q',
];

/** Identifiers of the usual forms. */
const IDENTIFIERS = ['7', '4fbf2d0e-6b0a-4b5b-9d68-2a1f0c9d7e11', 'usr_5f8d04b3a54d3b2c'];

const user = { email: 'ada.tag1@example.com', name: 'Ada Lovelace' };

const usualOf = ({ operation }: Case, identifier: string): Request => {
  if (operation === LIST) return { method: 'GET', path: '/v1/users', headers: BEARER };
  if (operation === CREATE) {
    const headers = { ...BEARER, 'content-type': 'application/json' };
    return { method: 'POST', path: '/v1/users', headers, body: JSON.stringify(user) };
  }
  return { method: 'GET', path: `/v1/users/${identifier}`, headers: BEARER };
};

const contextOf = (key: string, identifier: string, retrieval: Request): CaseContext => ({
  basePath: '/v1',
  user,
  identifier,
  identifiers: [identifier],
  wrongKey: wrongKey(key),
  isWrongKey: (token) => differsFromKey(token, key),
  isSameSignature: (token) => isSameSignature(token, key),
  cookies: 'session=1',
  headerNames: ['x-a'],
  idempotencyKey: 'key-1',
  userTag: '"1"',
  listTag: '"2"',
  retrieval,
});

/** Returns the usual request of a case and what it sends, both with the key filled in. */
function sentBy(testCase: Case): { usual: string; sent: string[] }[] {
  return KEYS.flatMap((key) =>
    IDENTIFIERS.map((identifier) => {
      const usual = usualOf(testCase, identifier);
      const retrieval = { ...usual, path: `/v1/users/${identifier}` };
      const changed = [testCase.change(usual, contextOf(key, identifier, retrieval))].flat();
      const texts = changed.flatMap((request) => (request ? JSON.stringify(request) : []));
      for (const text of texts) withKnownMarks(text);
      return {
        usual: fillIn(JSON.stringify(usual), key),
        sent: texts.map((text) => fillIn(text, key)),
      };
    }),
  );
}

/** Cases that are sent as usual: their user, or what is sent before, is what is special. */
const isUnchanged = (testCase: Case): boolean =>
  testCase.user !== undefined || (isValidCase(testCase) && testCase.operation === CREATE);

const cases = new Map(
  requirements.flatMap((requirement) =>
    casesOf(requirement).map((testCase) => [`${testCase.operation} ${testCase.name}`, testCase]),
  ),
);

describe('each case sends what its name says', () => {
  test.for([...cases].filter(([, testCase]) => !isUnchanged(testCase)))('%s', ([, testCase]) => {
    const sendings = sentBy(testCase);
    expect(sendings.flatMap(({ sent }) => sent)).not.toEqual([]);
    for (const { usual, sent } of sendings) expect(sent).not.toContain(usual);
  });
});
