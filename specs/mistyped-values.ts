import type { CaseResult, History } from '../src/history/history.ts';
import { lastListed } from '../src/history/list.ts';
import { members } from '../src/history/record.ts';
import { show } from '../src/http/value.ts';
import { type Case, CREATE, sentAlone, withBody } from '../src/requirement/case.ts';
import { type Finding, named, verify } from '../src/requirement/finding.ts';
import { chapter, must, rule } from './requirement.ts';

/** Values that are not strings, as JSON. */
const NOT_STRINGS = [
  'null',
  '42',
  '0',
  '-1',
  '1.5',
  'true',
  'false',
  '["Ada","Grace"]',
  '[]',
  '[["Ada"]]',
  '[null]',
  '{"first":"Ada"}',
  '{}',
  '{"$ne":""}',
];

/**
 * A creation with a value that is not a string as email or name. A service may reject it or convert
 * the value.
 */
export function mistyped(
  member: 'email' | 'name',
  description: string,
  makeJson: (sent: string) => string,
): Case {
  const otherMember = member === 'email' ? 'name' : 'email';
  return {
    name: `${description} as ${member}`,
    operation: CREATE,
    expected: 'either',
    change: withBody((user) => {
      const otherJson = JSON.stringify(user[otherMember]);
      return `{"${otherMember}":${otherJson},"${member}":${makeJson(user[member])}}`;
    }),
  };
}

export const mistypedCases: Case[] = (['email', 'name'] as const).flatMap((member) => [
  ...NOT_STRINGS.map((json) => {
    const mistypedCase = mistyped(member, json, () => json);
    return member === 'name' && json === '42' ? sentAlone(mistypedCase) : mistypedCase;
  }),
  // A database may not store a number beyond 64 bits.
  mistyped(member, 'a number beyond 64 bits', () => '73786976294838206464'),
  mistyped(member, 'an array with the string in it', (sent) => JSON.stringify([sent])),
]);

export const mistypedValues = chapter('Create a user', [
  must('create.strings-only', rule('4.1'), {
    sentence: "A user's email and name are strings, whatever type was sent.",
    cases: mistypedCases,
    expect: expectString,
    check: () => [],
    needs: ['end'],
  }),
]);

/**
 * Expects a string as email and name of a user that was sent with another type there, if the user
 * exists at all.
 */
function expectString(
  { creation, exchange, name, read }: CaseResult,
  { lists }: History,
): Finding[] {
  const member = creation?.traces.email === undefined ? 'email' : 'name';
  const listed = creation && lastListed(lists, creation);
  const record = listed?.item ?? read?.record;
  const value = record && members(record)[member];
  const isString = record === undefined || typeof value === 'string';
  const expected = `a string as ${member}, or no user`;
  const shownBy = listed?.list.exchange ?? read?.exchange;
  return named(name, verify(isString, expected, show(value), exchange, shownBy));
}
