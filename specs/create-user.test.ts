import { describe, expect, test } from 'vitest';
import type { YieldOf } from '../src/plan/step.ts';
import type { BodyResult } from '../src/plan/steps/bodies.ts';
import type { locations } from '../src/plan/steps/first.ts';
import { allHaveBoth, bothWays, judged } from '../tests/judged-by-hand.ts';
import {
  creation,
  exchange,
  firstTwo,
  lastLooks,
  listOf,
  lost,
  readOf,
  tried,
  unanswered,
  user,
  whole,
} from '../tests/made-evidence.ts';

const [ada, grace] = [user('a'), user('b')];
const users = firstTwo(ada, grace);
const [none, both] = [listOf([]), listOf([ada, grace])];
const created = (status: number) =>
  creation('c@example.com', 'Ada Lovelace', {
    ...{ exchange: exchange({ status }), answered: status < 300 ? 'created' : 'refused' },
  });

bothWays(
  'create.answers',
  { run: whole({ creations: [created(201)] }), look: none },
  { run: whole({ creations: [created(201), created(422)] }), look: none },
  'got 422',
);

describe('what no user can be made of', () => {
  const refusal = (status: number, unanswered?: BodyResult['unanswered']): BodyResult => ({
    ...{
      one: { what: 'a body' },
      creation: created(status),
      exchange: exchange({ status }),
      status,
      ok: status < 300,
      stored: undefined,
    },
    unanswered,
  });
  const slugs = ['email', 'name', 'members', 'object', 'body'].map((what) => `create.${what}-required`);
  for (const slug of [...slugs, 'create.complete-json'])
    for (const more of [
      { refusals: [refusal(201)], created: [] },
      { refusals: [], created: [created(201)] },
    ])
      bothWays(slug, { refusals: [refusal(422)], created: [] }, more, 'got 201');

  for (const slug of ['create.invalid-status', 'create.mistyped-status'])
    bothWays(slug, { refusals: [refusal(422)] }, { refusals: [refusal(500)] }, 'got 500 (a body)');

  bothWays(
    'create.answered',
    { refusals: [refusal(422)] },
    { refusals: [refusal(0, [unanswered(), unanswered()])] },
    'got none, 2 times',
  );

  const sent = { ...refusal(201), one: { what: 'a number as name', member: 'name', value: 42 } };
  bothWays(
    'create.strings-only',
    { sent: [{ ...sent, stored: readOf({ email: 'c@example.com', name: '42' }) }] },
    { sent: [{ ...sent, stored: readOf({ email: 'c@example.com', name: 42 }) }] },
    'got 42',
  );

  const refused = creation('c@example.com', 'Ada Lovelace', { fate: 'must-not', answered: 'refused' });
  const run = whole({ creations: [refused] });
  bothWays(
    'create.refused-creates-nothing',
    { run, looks: lastLooks(none, both), counting: { trials: [], atRest: [] } },
    { run, looks: lastLooks(none, listOf([{ creation: refused }])), counting: { trials: [], atRest: [] } },
    'a user created by the request with a plain user, which got 201',
  );
});

describe('creations at the same time', () => {
  const results = [created(422), created(201)].map((creation) => ({ creation, candidates: [] }));
  bothWays(
    'create.concurrent',
    { created: [tried(results[1])], kept: [tried(ada), tried(grace)], creations: [], users },
    { created: [tried(results[0], results[1], results[1])], creations: [], users },
    'got 422, but a user when created alone',
  );

  const second = { creation: grace.creation, candidates: [] };
  const pair = { first: ada, second, sought: grace, after: ada.read };
  for (const slug of ['create.same-name', 'create.same-email']) {
    const isLost = { ...pair, after: readOf() };
    bothWays(slug, { pairs: [tried(pair)] }, { pairs: [tried(isLost, isLost)] }, 'expected the first user');
  }
});

describe('what a creation leads to', () => {
  const refusedLater = lost(created(201));
  bothWays(
    'create.accepted-exists',
    { written: [tried(ada)] },
    { written: [tried(refusedLater, refusedLater)] },
    'got 201, and then 404',
  );

  test('an identifier that makes a path longer than servers take says nothing of its user', () => {
    const request = { method: 'GET' as const, path: `/v1/users/${'x'.repeat(8000)}`, headers: {} };
    const tooLong = lost(created(201), readOf(undefined, { exchange: exchange({ status: 414, request }) }));
    expect(judged('create.accepted-exists', { written: [tried(tooLong, tooLong)] }).outcome).toBe('not-applicable');
  });

  const shows = (id: string) => whole({ creations: [{ ...ada.creation, shown: { id } }] });
  bothWays(
    'create.identifier-agrees',
    { run: shows('a'), users },
    { run: shows('b'), users },
    'expected the id a, as retrieved, got b',
  );

  const location = (status: number, leadsToUser: boolean): YieldOf<typeof locations>[number] => ({
    ...{
      created: exchange({ status }),
      status,
      location: '/v1/users/a',
      isOwn: true,
      leadsToUser,
      followed: undefined,
    },
  });
  const [right] = [[location(201, true)]];
  bothWays('create.status-201', { locations: right }, { locations: [location(200, true)] }, 'got 200');
  bothWays('create.location', { locations: right }, { locations: [location(201, false)] }, 'leads to the user');
});

allHaveBoth('create');
