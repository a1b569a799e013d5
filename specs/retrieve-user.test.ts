import type { LastLooks } from '../src/plan/steps/last.ts';
import type { Lookup } from '../src/plan/steps/refusals.ts';
import { allHaveBoth, bothWays } from '../tests/judged-by-hand.ts';
import { exchange, firstTwo, lastLooks, listOf, lost, readOf, tried, user } from '../tests/made-evidence.ts';

const [ada, grace] = [user('a'), user('b')];
const users = firstTwo(ada, grace);
const [none, both] = [listOf([]), listOf([ada, grace])];
const severalUsers = readOf(ada.read.record, { others: ['grace@example.com'] });

bothWays('retrieve.created-user', { users }, { users: firstTwo(lost(), grace) }, 'got 404');

bothWays(
  'retrieve.exact-user',
  { users, mixedUp: [] },
  { users, mixedUp: [{ creation: ada.creation, read: severalUsers }] },
  'got a@example.com, grace@example.com',
);

bothWays('retrieve.values', { users }, { users: firstTwo(user('a', { name: 'Ada' }), grace) }, 'got "Ada"');

const old = (name: string): LastLooks['old'][number] => ({
  ...{ email: 'old@example.com', name: 'Old User', identifier: ada.identifier, look: both, exchange: exchange() },
  record: { email: 'old@example.com', name },
});
bothWays(
  'retrieve.existing-users',
  { looks: lastLooks(both, { ...both, others: 1 }, { old: [old('Old User')] }) },
  { looks: lastLooks(both, { ...both, others: 1 }, { old: [old('Somebody Else')] }) },
  'Somebody Else',
);

const renamed = readOf({ ...ada.read.record, name: 'Ada' });
bothWays(
  'retrieve.repeatable',
  { users, member: 'id', looks: lastLooks(none, both, { firstUser: ada }) },
  { users, member: 'id', looks: lastLooks(none, both, { firstUser: { ...ada, read: renamed } }) },
  'expected name "Ada a" again, got "Ada"',
);

const mixedUp = { ...lost(ada.creation, readOf(undefined, { others: ['b@example.com'] })) };
bothWays(
  'retrieve.concurrent',
  { kept: [tried(ada)] },
  { kept: [tried(mixedUp, ada)] },
  'expected the user a@example.com, as when no other request is in progress, got b@example.com',
);

const lookup = (status: number, holds?: string): Lookup => ({
  ...{ what: 'an identifier', segment: 'z', exchange: exchange({ status }), status, ok: status < 300 },
  ...{ holds, mayBe: undefined },
});
for (const slug of ['retrieve.unknown', 'retrieve.odd', 'retrieve.pattern']) {
  const others = slug === 'retrieve.unknown' ? { around: [], users } : {};
  const found = (one: Lookup) => ({ found: [one], all: [one], withUser: [], ...others });
  bothWays(slug, found(lookup(404)), found(lookup(200, 'ada@example.com')), 'got 200 with ada@example.com');
}

for (const slug of ['retrieve.unknown-status', 'retrieve.odd-status'])
  bothWays(slug, { found: [lookup(404)] }, { found: [lookup(200)] }, 'got 200');

allHaveBoth('retrieve');
