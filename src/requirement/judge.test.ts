import { describe, expect, test } from 'vitest';
import { makeExchange, makeHistory, makeList, makeResult } from '../../tests/made-history.ts';
import type { CaseResult, History } from '../history/history.ts';
import { makeShowText } from '../http/secrets.ts';
import { asUsual, type Case } from './case.ts';
import { notApplicable, passed, verify } from './finding.ts';
import { judge } from './judge.ts';
import type { Check, Needs, Requirement, RequirementInfo } from './requirement.ts';

const showText = makeShowText((text) => text);

const infoOf = (slug: string): RequirementInfo => ({
  slug,
  level: 'MUST',
  chapter: 'A chapter',
  source: { text: 'a document' },
  sentence: 'It holds.',
});

const theCase: Case = { name: 'a case', operation: 'GET /users', change: asUsual };

/** Makes a requirement that expects a 4xx. */
const rejection = (slug: string, options: Partial<Requirement> = {}): Requirement => ({
  ...infoOf(slug),
  cases: [theCase],
  expect: ({ exchange }) => {
    const status = exchange.response?.status ?? 0;
    return verify(status >= 400, 'a 4xx', `${status}`, exchange);
  },
  ...options,
});

/** Makes a requirement with a check. */
const withCheck = (slug: string, check: Check, needs: Needs = []): Requirement => ({
  ...infoOf(slug),
  check,
  needs,
});

function outcomesOf(requirements: Requirement[], history: History): string[] {
  const judged = judge(requirements, history, { all: requirements, showText });
  return judged.map(({ outcome }) => `${outcome.outcome} ${outcome.reason}`.trim());
}

const resultOf = (status: number, changes: Partial<CaseResult> = {}) =>
  makeResult({ slugs: ['a.case'], exchange: makeExchange({ status }), ...changes });

describe('a requirement with cases', () => {
  test('passes or fails by the result of each', () => {
    expect(outcomesOf([rejection('a.case')], makeHistory({ results: [resultOf(401)] }))).toEqual([
      'passed',
    ]);
    expect(outcomesOf([rejection('a.case')], makeHistory({ results: [resultOf(200)] }))).toEqual([
      'failed expected a 4xx, got 200 (a case)',
    ]);
  });

  test('is not verified without the result of a case', () => {
    expect(outcomesOf([rejection('a.case')], makeHistory())).toEqual([
      'not-verified the run ended before it',
    ]);
  });

  test('says why the run ended', () => {
    const stopped = { reason: 'the service ended', by: 'service' as const, exchanges: [] };
    expect(outcomesOf([rejection('a.case')], makeHistory({ stopped }))).toEqual([
      'not-verified the service ended',
    ]);
  });

  test('has a reason for a case that was not sent', () => {
    const skipped = {
      slugs: ['a.case'],
      name: 'a case',
      operation: 'GET /users' as const,
      exchanges: [],
    };
    const excluded = { ...skipped, reason: 'read-only', isExcluded: true };
    const unproven = { ...skipped, reason: 'no user could be created', isExcluded: false };
    expect(outcomesOf([rejection('a.case')], makeHistory({ skipped: [excluded] }))).toEqual([
      'not-applicable read-only',
    ]);
    expect(outcomesOf([rejection('a.case')], makeHistory({ skipped: [unproven] }))).toEqual([
      'not-verified no user could be created',
    ]);
  });

  test('is not verified by an unconfirmed failure among other requests', () => {
    const results = [resultOf(200, { isUnconfirmed: true })];
    expect(outcomesOf([rejection('a.case')], makeHistory({ results }))).toEqual([
      'not-verified got 200, among other requests',
    ]);
  });

  test('is not verified if the usual request failed as well', () => {
    const list = makeList({ exchange: makeExchange({ status: 500 }), ok: false });
    const control = { exchange: list.exchange, list };
    const history = makeHistory({ lists: [list], results: [resultOf(200, { control })] });
    expect(outcomesOf([rejection('a.case')], history)).toEqual([
      'not-verified the usual request fails as well',
    ]);
  });
});

describe('unless another requirement fails', () => {
  const all = [rejection('a.case', { unless: ['a.key'] }), rejection('a.key')];
  const keyResult = (operation: CaseResult['operation']) =>
    resultOf(200, { slugs: ['a.key'], name: 'no key', operation });

  test('a case of the same operation proves nothing', () => {
    const history = makeHistory({ results: [resultOf(200), keyResult('GET /users')] });
    expect(outcomesOf(all, history)[0]).toBe('not-verified the request is carried out with no key');
  });

  test('a case of another operation does', () => {
    const history = makeHistory({ results: [resultOf(200), keyResult('POST /users')] });
    expect(outcomesOf(all, history)[0]).toMatch(/^failed/);
  });
});

describe('a requirement on the history', () => {
  test('is judged by its check', () => {
    const history = makeHistory({ parts: ['list'] });
    expect(outcomesOf([withCheck('a.check', () => passed(), ['list'])], history)).toEqual([
      'passed',
    ]);
    expect(outcomesOf([withCheck('a.check', () => notApplicable('free'))], history)).toEqual([
      'not-applicable free',
    ]);
  });

  test('is not verified if a part of the run is missing, unless it fails', () => {
    const passing = withCheck('a.check', () => passed(), ['end']);
    const failing = withCheck('a.check', () => verify(false, 'x', 'y'), ['end']);
    expect(outcomesOf([passing], makeHistory())).toEqual(['not-verified the run ended before it']);
    expect(outcomesOf([failing], makeHistory())).toEqual(['failed expected x, got y']);
  });

  test('is not verified if its check crashes, and others are judged', () => {
    const crashing = withCheck('a.crash', () => {
      throw new TypeError('x is not a function');
    });
    const all = [crashing, withCheck('a.check', () => passed())];
    const judged = judge(all, makeHistory(), { all, showText });
    const fault = 'the check a.crash crashed: x is not a function';
    expect(judged.map((requirement) => requirement.fault)).toEqual([fault, undefined]);
    expect(outcomesOf(all, makeHistory())).toEqual([`not-verified ${fault}`, 'passed']);
  });
});
