import { describe, expect, test } from 'vitest';
import { PLAIN_KINDS } from '../../specs/plain-users.ts';
import type { ShownExchange } from '../../src/http/exchange.ts';
import { inDigits, userFactory } from '../../src/run/users.ts';
import { type JudgedRun, judgeAll } from '../run.ts';
import { startHere } from '../services/here.ts';
import { brokenBy, variantBy } from '../services/named.ts';
import type { Patch } from '../services/service.ts';
import { expectSameOutcomes } from './stable.ts';

/** Services whose outcomes a race could change. `npm run test:stable` judges one of each kind. */
const RACES: [string, Patch][] = [
  ['overlapping creations', brokenBy('a variable of all requests holds what is created')],
  ['overlapping reads', brokenBy('a read shows the user of a later one that overlaps with it')],
  ['a sporadic fault', brokenBy('one creation in twenty is 500')],
  ['a list that lags', variantBy('only in the list, which lags')],
];

describe.concurrent('a service has the same outcomes each time it is judged', () => {
  test.for(RACES)('%s', ([, patch]) => expectSameOutcomes({ patch }, 3));
});

test('two runs send the same requests, apart from the tag of a run', async () => {
  const sent = async () => {
    const service = await startHere(fixedIdentifiers);
    const run = await judgeAll(service).finally(service.close);
    return requestsOf(run, service.apiKey.length);
  };
  const first = await sent();
  const second = await sent();
  expect(first.length).toBeGreaterThan(100);
  expect(second.filter((request) => !first.includes(request))).toEqual([]);
  expect(second).toEqual(first);
});

/** Identifiers that are the same for each run, because a run puts them into paths. */
const fixedIdentifiers: Patch = (service) => {
  let made = 0;
  service.newId = () => {
    made += 1;
    return `00000000-0000-4000-8000-${`${made}`.padStart(12, '0')}`;
  };
  service.users.push({ id: service.newId(), email: 'ada@example.org', name: 'Ada Lovelace' });
};

/** Returns the requests of a run without its random parts; sorted, because some are concurrent. */
function requestsOf({ record, tally }: JudgedRun, keyLength: number): string[] {
  const wrongKey = new RegExp(`(?<=Bearer )[^<>" ]{${keyLength}}(?=")`);
  const ofRun = new RegExp(partsOf(tally.tag).join('|'), 'gi');
  const textOf = ({ request }: ShownExchange) => {
    const { method, path, headers, body = '', framing = 'whole' } = request;
    const { 'user-agent': _, ...others } = lowerCase(headers);
    // The key is a hash of the body.
    if (others['idempotency-key']) others['idempotency-key'] = 'of the body';
    const text = [method, path, JSON.stringify(others), framing, unescaped(body)].join(' ');
    return text.replace(wrongKey, 'WRONG').replaceAll(ofRun, 'OWN');
  };
  return record.map(textOf).sort();
}

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** More users than a run creates. */
const USERS = 150;

/** Returns the tag of a run, its digits, and the letters made of these for each user. */
function partsOf(tag: string): string[] {
  const parts = [tag, inDigits(tag)];
  const name = PLAIN_KINDS[0]?.user.name;
  const factory = userFactory('example.com', tag);
  for (let made = 0; made < USERS; made += 1) {
    factory.make({
      name: (own, other) => {
        const short = name?.(own, other) ?? '';
        parts.push(short.slice('D '.length));
        return short;
      },
    });
  }
  return parts;
}

const unescaped = (body: string): string =>
  body.replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
