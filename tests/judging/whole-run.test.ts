import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { readHistory } from '../../src/history/file.ts';
import { itemsOf } from '../../src/history/list.ts';
import { casesOf } from '../../src/requirement/requirement.ts';
import { judgeAll } from '../run.ts';
import { startHere } from '../services/here.ts';
import { withPeople } from '../services/service.ts';

async function historyOfRun() {
  const service = await startHere(withPeople);
  const run = await judgeAll(service).finally(service.close);
  return readHistory(JSON.parse(JSON.stringify(run.history())));
}

describe('a run against a conforming service', () => {
  const run = historyOfRun();

  test('gets no 2xx for a creation that must be rejected', async () => {
    const { creations } = await run;
    const negative = creations.filter(({ expected }) => expected === 'rejected');
    expect(negative.length).toBeGreaterThan(30);
    expect(negative.filter(({ response }) => response === 'accepted')).toEqual([]);
  });

  test('finds no rejected user in any list', async () => {
    const { creations, lists } = await run;
    const rejected = creations.filter(({ response }) => response === 'rejected');
    const listed = rejected.filter((creation) =>
      lists.some((list) => itemsOf(list, creation).length > 0),
    );
    expect(rejected.length).toBeGreaterThan(30);
    expect(listed).toEqual([]);
  });

  test('finds the identifier of each user that it looks for', async () => {
    const { creations } = await run;
    const sought = creations.filter(({ reads }) => reads.length > 0);
    expect(sought.length).toBeGreaterThan(20);
    expect(sought.filter(({ identifier }) => identifier === undefined)).toEqual([]);
  });

  test('gives each exchange a unique id', async () => {
    const { exchanges } = await run;
    expect(new Set(exchanges.map(({ id }) => id)).size).toBe(exchanges.length);
  });
});

test('the cases of a requirement have unique names for each operation', () => {
  for (const requirement of requirements) {
    const names = casesOf(requirement).map(({ name, operation }) => `${operation}: ${name}`);
    expect(
      names.filter((name, at) => names.indexOf(name) < at),
      requirement.slug,
    ).toEqual([]);
  }
});
