import type { CaseResult, History } from '../src/history/history.ts';
import { itemsOf } from '../src/history/list.ts';
import { members } from '../src/history/record.ts';
import { show } from '../src/http/value.ts';
import { type Case, CREATE, sentAlone, withBody } from '../src/requirement/case.ts';
import { type Finding, named, verify } from '../src/requirement/finding.ts';
import { chapter, must, rule } from './requirement.ts';

/** Values that are not strings. A number is beyond 64 bits, which a database may not take. */
const MISTYPED: unknown[] = [
  ...[null, 42, 0, -1, 1.5, true, false],
  ...[['Ada', 'Grace'], [], [['Ada']], [null], { first: 'Ada' }, {}, { $ne: '' }],
];

/** A body with a value that is not a string as email or as name: it may be rejected or converted to a string. */
function mistyped(
  member: 'email' | 'name',
  text: string,
  makeValue: (own: string) => string,
): Case {
  const other = member === 'email' ? 'name' : 'email';
  return {
    name: `${text} as ${member}`,
    operation: CREATE,
    expected: 'either',
    untraced: member,
    change: withBody((user) => {
      return `{"${other}":${JSON.stringify(user[other])},"${member}":${makeValue(user[member])}}`;
    }),
  };
}

export const mistypedCases = (['email', 'name'] as const).flatMap((member) => [
  ...MISTYPED.map((value) => {
    const one = mistyped(member, JSON.stringify(value), () => JSON.stringify(value));
    return one.name === '42 as name' ? sentAlone(one) : one;
  }),
  mistyped(member, 'a number beyond 64 bits', () => '73786976294838206464'),
  mistyped(member, 'an array with the string in it', (own) => JSON.stringify([own])),
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

/** Expects that a user whose email or name was sent as something else has a string there, if it exists at all. */
function expectString(
  { creation: index = -1, exchange, name, read }: CaseResult,
  { lists }: History,
): Finding[] {
  const member = name.endsWith('email') ? 'email' : 'name';
  const list = lists.findLast((one) => itemsOf(one, index).length > 0);
  const item = list && itemsOf(list, index)[0];
  const record = item ?? read?.record;
  const value = record && members(record)[member];
  const isString = record === undefined || typeof value === 'string';
  const shownBy = item ? list?.exchange : read?.exchange;
  return named(
    name,
    verify(isString, `a string as ${member}, or no user`, show(value), exchange, shownBy),
  );
}
