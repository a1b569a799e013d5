import { beforeAll, expect, test } from 'vitest';
import type { WrittenHistory } from '../../src/history/file.ts';
import { endOf } from '../../src/http/exchange.ts';
import { type CountingSuite, loadCountingSuite, type Operations } from '../operations.ts';
import { brokenBy } from '../services/named.ts';
import { type Patch, withPeople } from '../services/service.ts';

/** The operations for a size, for twice that size, and for four times that size. */
type Doublings = readonly [once: Operations, twice: Operations, fourTimes: Operations];

/** The second growth by the first one: 2 if it is linear, 2.2 for n log n, 4 if it is quadratic. */
const LINEAR = 2.2;
const FLAT = 0;

/**
 * Operations that a function may add in any case: repeated reads after a pause, and random emails
 * and identifiers, add less than 200.
 */
const NOISE = 1000;

/** The most functions that a failed test lists. */
const LISTED_FUNCTIONS = 10;

let suite: CountingSuite;

beforeAll(async () => {
  suite = await loadCountingSuite();
});

// Sizes are on one side of each limit in the suite, such as that of a long list. At a limit, the
// work takes a step.
test.for<[title: string, size: number, patchOf: (size: number) => Patch]>([
  ['users in a list that a run fetches often', 150, withUsers],
  ['users in a list that a run fetches rarely', 2500, withUsers],
  ['members of each record', 30, withLongMembers],
  ['members of each record, if they are more than a history stores', 205, withShortMembers],
])('the work grows linearly with the %s', async ([, size, patchOf]) => {
  expectLinear(await judgeDoublings(size, patchOf));
});

// A history stores names of up to 100,000 characters, and digests of longer ones.
test('no function is called more often because a name is longer', async () => {
  const doublings = await judgeDoublings(50_000, withLongName);
  expect(growingFunctions(doublings, FLAT)).toEqual([]);
});

test.for<[title: string, patch: Patch]>([
  ['a conforming service', withPeople],
  ['a service that accepts any key', brokenBy('any token is good')],
])('the work of judging %s again grows linearly with the results', async ([, patch]) => {
  const service = await suite.startHere(patch);
  const run = await suite.judgeAll(service).finally(service.close);
  const text = JSON.stringify(run.history());
  const { judgeAgain, requirements } = suite;
  const doublings = await countDoublings(1, (times) => {
    const history = repeatResults(JSON.parse(text), times);
    return () => expect(judgeAgain(history, requirements, requirements).faults).toEqual([]);
  });
  expectLinear(doublings);
});

/** Judges a conforming service of each size. */
function judgeDoublings(size: number, patchOf: (size: number) => Patch): Promise<Doublings> {
  return countDoublings(size, (doubled) => async () => {
    const service = await suite.startHere(patchOf(doubled));
    const run = await suite.judgeAll(service).finally(service.close);
    expect([...run.slugs('failed'), ...run.faults]).toEqual([]);
  });
}

async function countDoublings(
  size: number,
  workOf: (size: number) => () => unknown,
): Promise<Doublings> {
  return [
    await suite.countOperations(workOf(size)),
    await suite.countOperations(workOf(2 * size)),
    await suite.countOperations(workOf(4 * size)),
  ];
}

function expectLinear(doublings: Doublings): void {
  expect(growingFunctions(doublings, FLAT)).not.toEqual([]);
  expect(growingFunctions(doublings, LINEAR)).toEqual([]);
}

/** Returns the functions whose second growth is more than `factor` times the first one. */
function growingFunctions(doublings: Doublings, factor: number): string[] {
  const [, , fourTimes] = doublings;
  const growing = [...fourTimes.keys()].flatMap((place) => {
    const counts = doublings.map((operations) => operations.get(place) ?? 0);
    const [once = 0, twice = 0, last = 0] = counts;
    const growth = last - twice;
    if (growth <= factor * Math.max(0, twice - once) + NOISE) return [];
    return [{ growth, text: `${place}: ${counts.join(', ')}` }];
  });
  growing.sort((a, b) => b.growth - a.growth);
  return growing.slice(0, LISTED_FUNCTIONS).map(({ text }) => text);
}

/** Adds users from before the run. */
function withUsers(size: number): Patch {
  return ({ users }) => {
    for (let index = 0; index < size; index += 1) users.push(existingUser(index));
  };
}

/** Adds members to each record, which is then longer than an excerpt. All have the same value. */
function withLongMembers(size: number): Patch {
  return withMembers(size, () => 'value '.repeat(10));
}

/** Adds members to each record. The list stays below 3 MB, where the suite counts its values. */
function withShortMembers(size: number): Patch {
  return withMembers(size, (index) => `${index}`);
}

function withMembers(size: number, textOf: (index: number) => string): Patch {
  const members = Array.from({ length: size }, (_, index) => `"m${index}":"${textOf(index)}",`);
  const text = members.join('');
  return (service) => {
    const { json, users } = service;
    users.push(existingUser(0));
    // V8 takes quadratic time to add so many members to an object.
    service.json = (body) => json(body).replaceAll('"name":', `${text}"name":`);
  };
}

/** Adds a user with a long name from before the run. */
function withLongName(size: number): Patch {
  return ({ users }) => {
    users.push({ ...existingUser(0), name: 'n'.repeat(size) });
  };
}

const existingUser = (index: number) => ({
  id: `old-${index}`,
  email: `old.user.${index}@example.org`,
  name: `Old User Number ${index}`,
});

/**
 * Repeats the results of a history, with later copies of all exchanges. A copy may fail, because
 * its lists are those of the first result.
 */
function repeatResults(history: WrittenHistory, times: number): WrittenHistory {
  const { exchanges, results } = history;
  const last = exchanges.at(-1);
  const text = JSON.stringify(results);
  const copies = Array.from({ length: times }, (_, copy) => {
    const idOf = (id: number) => id + copy * (last?.id ?? 0);
    const later = copy * endOf(last);
    const copiedText = text.replaceAll(
      /(?<="\$exchange":)\d+/g,
      (id: string) => `${idOf(Number(id))}`,
    );
    return {
      exchanges: exchanges.map((exchange) => {
        return { ...exchange, id: idOf(exchange.id), at: exchange.at + later };
      }),
      results: JSON.parse(copiedText),
    };
  });
  return {
    ...history,
    exchanges: copies.flatMap((copy) => copy.exchanges),
    results: copies.flatMap((copy) => copy.results),
  };
}
