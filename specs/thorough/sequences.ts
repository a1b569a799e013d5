import fc from 'fast-check';
import type { Operation } from '../../src/history/history.ts';
import {
  type Case,
  CREATE,
  isSentAlone,
  LIST,
  OPERATIONS,
  RETRIEVE,
} from '../../src/requirement/case.ts';
import { casesOf } from '../../src/requirement/requirement.ts';
import type { Kind, Sequence, Step } from '../../src/thorough/draw.ts';
import { createsUser } from '../../src/thorough/sequences.ts';
import { noKey } from '../credentials.ts';
import { requirements } from '../index.ts';
import { weighted } from './arbitraries.ts';
import { query } from './free.ts';

/** Phases of cases that need a place of their own in a run. */
const ELSEWHERE = ['before users', 'together', 'end', 'valid at the end'];

const CHAPTERS = /^(create|http|retrieve|round-trip)\.|\.(no-token|no-scheme|key-cut-short)$/;

/** The cases of the default run, apart from most of those with wrong credentials. */
const CASES = [
  ...noKey,
  ...requirements
    .filter(({ slug }) => CHAPTERS.test(slug))
    .flatMap(casesOf)
    .filter(({ phase = '' }) => !ELSEWHERE.includes(phase)),
];

const anyCase = weighted([4, fc.constantFrom(...CASES)], [1, query]);
const creatingNone = anyCase.filter((testCase) => !createsUser(testCase));

const once = (testCase: Case): Step => ({ case: testCase, times: 1 });
const usual = (operation: Operation): Step => ({ usual: operation, position: 0 });

/** Draws usual requests of some operations, each as often as it is named. */
const usualOf = (...operations: Operation[]): fc.Arbitrary<Step> =>
  fc.record({
    usual: fc.constantFrom(...operations),
    position: fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1000),
  });

/** Draws some steps: usual requests, and cases between them. */
const mixed = (usualSteps: fc.Arbitrary<Step>, cases: fc.Arbitrary<Case>): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof(usualSteps, cases.map(once)), { minLength: 2, maxLength: LENGTH, size: 'max' });

/** Requests in a sequence, at most. */
const LENGTH = 24;
/** Valid requests on one connection: a server may close or limit it only after so many. */
const LONGEST = 60;

/** Draws a case, directly followed by each of some operations. */
const followed = (cases: fc.Arbitrary<Case>, ...operations: Operation[]): fc.Arbitrary<Step[]> =>
  cases.map((drawn) => operations.flatMap((operation) => [once(drawn), usual(operation)]));

/**
 * Cases that are repeated many times in a row: a service may count them and lock the client out, or
 * lose a connection of a pool with each.
 */
const REPEATED = CASES.filter((testCase) => {
  return (
    isSentAlone(testCase) && /aborted|no member|null|empty|wrong|truncated/.test(testCase.name)
  );
});

const repeated = fc
  .tuple(
    fc.constantFrom(...noKey, ...REPEATED),
    fc.integer({ min: 24, max: 40 }),
    fc.shuffledSubarray(OPERATIONS.map(usual), { minLength: OPERATIONS.length }),
  )
  .map(([testCase, times, followUps]): Step[] => [{ case: testCase, times }, ...followUps]);

function describe(step: Step): string {
  if ('usual' in step) return step.usual;
  const { operation, name } = step.case;
  return `${operation} with ${name}${step.times > 1 ? `, ${step.times} times` : ''}`;
}

const kind = (name: string, perRound: number, steps: fc.Arbitrary<Step[]>): Kind<Sequence> => ({
  name,
  slugs: ['http.survives-bad-requests'],
  part: 'users',
  perRound,
  cases: steps.map((drawn) => ({ name: drawn.map(describe).join(', '), steps: drawn })),
});

export const sequences: Kind<Sequence>[] = [
  kind('sequences', 6, mixed(usualOf(...OPERATIONS, RETRIEVE), anyCase)),
  kind('sequences without new users', 4, mixed(usualOf(LIST, RETRIEVE), creatingNone)),
  kind(
    'valid requests in a row',
    1,
    fc.array(usualOf(...OPERATIONS), { minLength: 2, maxLength: LONGEST, size: 'max' }),
  ),
  kind('creations after cases', 12, followed(anyCase, CREATE)),
  kind('reads after cases', 14, followed(creatingNone, LIST, RETRIEVE)),
  kind('the same request in a row', 4, repeated),
];
