import { members, oneOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { BodyCase, BodyResult, MistypedCase } from '../../src/plan/steps/bodies.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { body, INVALID, mistypedSent, refusedBodies } from '../create-user.ts';
import { lines, repeated } from './words.ts';

/** A body as a list of words has it. */
export const bodyCase = (line: string): BodyCase => body(`the body ${line}`, repeated(line));

/** Where a user's JSON ends: after a share of its characters, or directly before or after a sign of its structure. */
const ENDS = [...Array.from({ length: 24 }, (_, index) => `after ${4 * index + 2} %`), ...lines('cut-short')];

function endOf(text: string, end: string): number {
  const [, where, which, sign = ''] = /^(after|before) (\d+|the first|the last) (.)$/.exec(end) ?? [];
  if (sign === '%') return Math.max(1, Math.floor((text.length * Number(which)) / 100));
  const at = which === 'the first' ? text.indexOf(sign) : text.lastIndexOf(sign);
  return Math.max(1, where === 'before' ? at : at + 1);
}

/** In so many rounds each body of a list is sent. */
const ROUNDS = 7;

const bodiesOf = (what: string, all: string[], part: DrawnPart<BodyCase, BodyResult>): Topic =>
  topic({
    what,
    params: members({ body: oneOf(all) }),
    toCase: ({ body }) => bodyCase(body),
    perRound: Math.ceil(all.length / ROUNDS),
    fills: [into(part), into(refusedBodies)],
  });

export const bodies: Topic[] = [
  bodiesOf('bodies without email', lines('bodies-without-email'), INVALID.email.refusals),
  bodiesOf('bodies without name', lines('bodies-without-name'), INVALID.name.refusals),
  bodiesOf('bodies with neither email nor name', lines('bodies-without-both'), INVALID.members.refusals),
  bodiesOf('blank bodies', [' ', '\n', '\t', '\r\n', '   \n '], INVALID.empty.refusals),
  bodiesOf('bodies that are not objects', lines('bodies-no-object'), INVALID.object.refusals),
  topic({
    what: 'truncated bodies',
    params: members({ end: oneOf(ENDS), written: oneOf(['narrow', 'wide', 'turned']) }),
    toCase: ({ end, written }): BodyCase => ({
      what: `JSON truncated ${end}, ${written}`,
      make: (user) => {
        const whole = written === 'turned' ? { name: user.name, email: user.email } : user;
        const text = JSON.stringify(whole, undefined, written === 'wide' ? 2 : 0);
        return { body: text.slice(0, endOf(text, end)), traces: user };
      },
    }),
    perRound: 10,
    fills: [into(INVALID.cut.refusals), into(refusedBodies)],
  }),
  topic({
    what: 'values that are not strings',
    params: members({ member: oneOf(['email', 'name']), value: oneOf(lines('values')) }),
    toCase: ({ member, value }): MistypedCase => ({ what: `${value} as ${member}`, member, value: JSON.parse(value) }),
    perRound: 32,
    // A service may turn them into strings.
    users: 1,
    fills: [into(mistypedSent)],
  }),
];
