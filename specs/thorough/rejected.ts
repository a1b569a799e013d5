import { lists, oneOf, type Place, type Topic, topic } from '../../src/conduct/topic.ts';
import type { Request } from '../../src/http/exchange.ts';
import type { Context } from '../../src/plan/context.ts';
import type { Row } from '../../src/plan/steps/aftermath.ts';
import type { BodyCase } from '../../src/plan/steps/bodies.ts';
import { firstKnown } from '../../src/plan/steps/first.ts';
import type { FreeCase } from '../../src/plan/steps/refusals.ts';
import { OPERATIONS } from '../authentication.ts';
import { body, INVALID, mistypedSent, refusedBodies } from '../create-user.ts';
import { freelyAnswered } from '../refusals.ts';
import { afterBad, afterOne, afterRows, BAD, type BadRequest, byBody } from '../survival.ts';
import { header, lines, repeated } from '../words.ts';

/** A body as a list of words has it. */
const bodyCase = (line: string): BodyCase => body(`the body ${line}`, repeated(line));

/** Where a user's JSON ends: after a share of its characters, or directly before or after a sign of its structure. */
function endOf(text: string, end: string): number {
  const [, where, which, sign = ''] = /^(after|before) (\d+|the first|the last) (.)$/.exec(end) ?? [];
  if (sign === '%') return Math.max(1, Math.floor((text.length * Number(which)) / 100));
  const at = which === 'the first' ? text.indexOf(sign) : text.lastIndexOf(sign);
  return Math.max(1, where === 'before' ? at : at + 1);
}

/** In so many rounds each body of a list is sent. */
const ROUNDS = 7;

const bodiesOf = (what: string, all: string[], part: Place<BodyCase>): Topic =>
  topic({ what, perRound: Math.ceil(all.length / ROUNDS) }, [part, refusedBodies], { body: oneOf(all) }, ({ body }) =>
    bodyCase(body),
  );

export const bodies: Topic[] = [
  bodiesOf('bodies without email', lines('bodies-without-email'), INVALID.email.refusals),
  bodiesOf('bodies without name', lines('bodies-without-name'), INVALID.name.refusals),
  bodiesOf('bodies with neither email nor name', lines('bodies-without-both'), INVALID.members.refusals),
  bodiesOf('blank bodies', [' ', '\n', '\t', '\r\n', '   \n '], INVALID.empty.refusals),
  bodiesOf('bodies that are not objects', lines('bodies-no-object'), INVALID.object.refusals),
  topic(
    { what: 'truncated bodies', perRound: 10 },
    [INVALID.cut.refusals, refusedBodies],
    { end: oneOf(lines('cut-short')), written: oneOf(['narrow', 'wide', 'turned']) },
    ({ end, written }) => ({
      what: `JSON truncated ${end}, ${written}`,
      make: (user) => {
        const whole = written === 'turned' ? { name: user.name, email: user.email } : user;
        const text = JSON.stringify(whole, undefined, written === 'wide' ? 2 : 0);
        return { body: text.slice(0, endOf(text, end)), traces: user };
      },
    }),
  ),
  // A service may turn them into strings.
  topic(
    { what: 'values that are not strings', perRound: 32, users: 1 },
    [mistypedSent],
    { member: oneOf(['email', 'name']), value: oneOf(lines('values')) },
    ({ member, value }) => ({ what: `${value} as ${member}`, member, value: JSON.parse(value) }),
  ),
];

const row = (count: number, of: string, make: Row['make']): Row => ({ what: `${count} ${of} in a row`, count, make });
const wrongKey = ({ client }: Context) => ({ authorization: `Bearer ${client.secrets.wrongKey}` });
const givenUp = (request: Request): Request => ({ ...request, framing: 'aborted', connection: 'new' });
const ROWS = [
  row(24, 'wrong keys', (run) => run.listing(wrongKey(run))),
  row(24, 'malformed bodies', (run) => run.creating('{"email":')),
  row(24, 'bodies that are null', (run) => run.creating('null')),
  row(24, 'empty bodies', (run) => run.creating('')),
  row(24, 'creations without a name', (run) => run.creating({ email: run.factory.make().email })),
  row(24, 'retrievals of unknown users', (run) => run.retrieval('null')),
  row(40, 'retrievals with a wrong key', (run, users) =>
    run.retrieval(firstKnown(users).identifier.segment, wrongKey(run)),
  ),
  row(12, 'creations that are given up half-way', (run) => givenUp(run.creating(run.factory.make()))),
  row(24, 'retrievals that are given up', (run, users) => givenUp(run.retrieval(firstKnown(users).identifier.segment))),
  row(24, 'creations without a key', (run) => run.creating('{}', {})),
];

/** A request as curl takes it: its method, what follows the path of the list, its headers (-H) and its body (-d). */
export function fromLine(line: string): FreeCase {
  const [start = '', ...options] = repeated(line).split(/ (?=-[Hd] )/);
  const [method, end = ''] = start.split(' ');
  const valuesOf = (option: string) => options.flatMap((one) => (one.startsWith(option) ? one.slice(3) : []));
  const [body] = valuesOf('-d');
  const make: FreeCase['make'] = (run) => {
    const { path, headers, ...usual } = run.listing();
    const given = { headers: { ...headers, ...Object.fromEntries(valuesOf('-H').map(header)) }, ...(body && { body }) };
    return { request: { ...usual, method: method as Request['method'], path: path + end, ...given } };
  };
  return { what: `the request ${line}`, make };
}

/** Each rejected for another reason, so that each of a service's error pages is seen. */
const MAY_BE_REJECTED = lines('may-be-rejected');
/** A server may close the connection on which it rejects so much. */
const isShort = (line: string) => repeated(line).length < 5000;

const emailThatIsThere: BadRequest = {
  what: 'an email that is there',
  bad: (run, users) => {
    const { email } = firstKnown(users).creation.user;
    const user = { ...run.factory.make(), email };
    const draft = { what: 'an email that is there', fate: 'may' as const, user, traces: user };
    return { request: run.creating(user), draft };
  },
};

const byLine = (what: string): BadRequest => ({ what, bad: fromLine(what).make });

/** Bad requests of all kinds, by their names. */
const ALL_BAD = new Map(
  [
    ...[...BAD, ...lines('bad-bodies').map(bodyCase).map(byBody), emailThatIsThere],
    ...[...lines('bad-requests'), ...MAY_BE_REJECTED.filter(isShort)].map(byLine),
  ].map((one) => [one.what, one]),
);

export const refusals: Topic[] = [
  topic(
    { what: 'requests that may be rejected', perRound: 3 },
    [freelyAnswered],
    { request: oneOf(MAY_BE_REJECTED) },
    ({ request }) => fromLine(request),
  ),
  topic(
    { what: 'valid requests after rejected ones', perRound: 30, users: 2 },
    [afterBad],
    { bad: oneOf([...ALL_BAD.keys()]), operation: oneOf(OPERATIONS), times: oneOf([1, 1, 1, 3]) },
    ({ bad, operation, times }) => ({
      ...afterOne(ALL_BAD.get(bad) as BadRequest, operation),
      what: `${operation} after ${times > 1 ? `${times} times ` : ''}${bad}`,
      times,
    }),
  ),
];

/** Each is many requests. */
export const rejectedInARow = topic(
  { what: 'rejected requests in a row', perRound: 1 },
  [afterRows],
  { rows: lists(oneOf(ROWS.map(({ what }) => what)), 2) },
  ({ rows }) => ({
    what: rows.join(', '),
    rows: rows.flatMap((name) => ROWS.find(({ what }) => what === name) ?? []),
  }),
);
