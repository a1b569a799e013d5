import { describe, expect, test } from 'vitest';
import { inWorld } from '../../tests/made-world.ts';
import type { Patch, Request } from '../../tests/services/service.ts';
import { type Case, LIST, withHeaders } from '../requirement/case.ts';
import { verify } from '../requirement/finding.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { carryOut, planCases } from './runner.ts';

const caseOf = (name: string, changes: Partial<Case> = {}): Case => ({
  name,
  operation: LIST,
  change: withHeaders({ 'x-case': name }),
  ...changes,
});

/** Makes a requirement that expects some status of its cases. */
const expectStatus = (
  isRight: (status: number) => boolean,
  cases: Case[],
  changes: Partial<Requirement> = {},
): Requirement => ({
  slug: 'a.case',
  level: 'MUST',
  chapter: 'A chapter',
  source: { text: 'a document' },
  sentence: 'It holds.',
  cases,
  expect: ({ exchange }) => {
    const status = exchange.response?.status ?? 0;
    return verify(isRight(status), 'another status', `${status}`, exchange);
  },
  ...changes,
});

const expectSuccess = (...cases: Case[]) => expectStatus((status) => status < 300, cases);
const expectRejection = (...cases: Case[]) => expectStatus((status) => status >= 400, cases);

/** Makes a service that rejects the first request of each case, and counts them by case. */
function rejectFirst(counts: Map<string, number>): Patch {
  return (service) => {
    const { handle } = service;
    service.handle = (request) => {
      const name = nameIn(request);
      if (name === undefined) return handle(request);
      const times = (counts.get(name) ?? 0) + 1;
      counts.set(name, times);
      return times === 1 ? { status: 400 } : handle(request);
    };
  };
}

const nameIn = ({ headers }: Request): string | undefined => {
  const name = headers['x-case'];
  return typeof name === 'string' ? name : undefined;
};

/** Sends the cases of a requirement, and returns the results. */
async function resultsOf(requirement: Requirement, patches: Patch[]) {
  let results: unknown[] = [];
  await inWorld(patches, async (world) => {
    const list = await world.fetchList();
    world.history.first = list;
    await carryOut(world, planCases([requirement], [requirement]));
    results = world.history.results;
  });
  return results;
}

describe('a case with an unexpected response among other requests', () => {
  test('is sent once more, alone, and the second response counts', async () => {
    const counts = new Map<string, number>();
    const valid = caseOf('one', { phase: 'valid' });
    const results = await resultsOf(expectSuccess(valid), [rejectFirst(counts)]);
    expect(counts.get('one')).toBe(2);
    expect(results).toMatchObject([
      { exchange: { response: { status: 200 } }, concurrent: { exchange: {} } },
    ]);
  });

  test('keeps failing if it fails alone', async () => {
    const alwaysWrong: Patch = (service) => {
      const { handle } = service;
      service.handle = (request) => (nameIn(request) ? { status: 400 } : handle(request));
    };
    const valid = caseOf('one', { phase: 'valid' });
    const [result] = await resultsOf(expectSuccess(valid), [alwaysWrong]);
    expect(result).toMatchObject({ exchange: { response: { status: 400 } }, control: {} });
    expect(result).not.toHaveProperty('concurrent');
  });

  test('still fails if it was carried out and should have been rejected', async () => {
    const counts = new Map<string, number>();
    const counting: Patch = (service) => {
      const { handle } = service;
      service.handle = (request) => {
        const name = nameIn(request);
        if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
        return handle(request);
      };
    };
    const results = await resultsOf(expectRejection(caseOf('one')), [counting]);
    expect(counts.get('one')).toBe(1);
    expect(results).toMatchObject([{ exchange: { response: { status: 200 } } }]);
  });
});

describe('the cases of a plan', () => {
  test('are sent once if several requirements declare them', () => {
    const shared = caseOf('one');
    const all = [
      expectStatus(() => true, [shared]),
      expectStatus(() => true, [shared, caseOf('two')], { slug: 'b.case' }),
    ];
    const planned = planCases(all, all);
    const slugs = planned.map(({ requirements }) => requirements.map(({ slug }) => slug));
    expect(slugs).toEqual([['a.case', 'b.case'], ['b.case']]);
  });

  test('include those of requirements on which a wanted one depends', () => {
    const key = expectStatus(() => true, [caseOf('key')], { slug: 'a.key' });
    const dependent = expectStatus(() => true, [caseOf('one')], { unless: ['a.key'] });
    expect(planCases([dependent], [key, dependent])).toHaveLength(2);
    expect(planCases([key], [key, dependent])).toHaveLength(1);
  });
});

test('a case is not sent if the usual request fails as well', () =>
  inWorld([broken], async (world) => {
    const list = await world.fetchList();
    world.history.first = list;
    const requirement = expectRejection(caseOf('one'));
    await carryOut(world, planCases([requirement], [requirement]));
    expect(world.history.results).toEqual([]);
    expect(world.history.skipped).toMatchObject([
      { name: 'one', isExcluded: false, reason: expect.stringContaining('fails') },
    ]);
  }));

const broken: Patch = (service) => {
  service.list = () => ({ status: 500 });
};
