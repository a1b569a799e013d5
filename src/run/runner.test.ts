import { describe, expect, test } from 'vitest';
import { inWorld } from '../../tests/made-world.ts';
import type { Patch, Request } from '../../tests/services/service.ts';
import { type Case, LIST, withHeaders } from '../requirement/case.ts';
import { verify } from '../requirement/finding.ts';
import type { CaseRequirement } from '../requirement/requirement.ts';
import { carryOut, planCases } from './runner.ts';

const caseOf = (name: string, changes: Partial<Case> = {}): Case => ({
  name,
  operation: LIST,
  change: withHeaders({ 'x-case': name }),
  ...changes,
});

/** A requirement that expects some status of its cases. */
const expecting = (
  isRight: (status: number) => boolean,
  cases: Case[],
  more: Partial<CaseRequirement> = {},
): CaseRequirement => ({
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
  ...more,
});

const expectingSuccess = (...cases: Case[]) => expecting((status) => status < 300, cases);
const expectingRejection = (...cases: Case[]) => expecting((status) => status >= 400, cases);

/** Rejects the first of the requests of each case; counts them by case. */
function rejectingFirst(counts: Map<string, number>): Patch {
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
async function resultsOf(requirement: CaseRequirement, patches: Patch[]) {
  let results: unknown[] = [];
  await inWorld(patches, async (world) => {
    const list = await world.fetchList();
    world.history.first = world.lists.indexOf(list);
    await carryOut(world, planCases([requirement], [requirement]));
    results = world.history.results;
  });
  return results;
}

describe('a case that is not as expected among others', () => {
  test('is sent once more, alone, and the second response counts', async () => {
    const counts = new Map<string, number>();
    const valid = caseOf('one', { phase: 'valid' });
    const results = await resultsOf(expectingSuccess(valid), [rejectingFirst(counts)]);
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
    const [result] = await resultsOf(expectingSuccess(valid), [alwaysWrong]);
    expect(result).toMatchObject({ exchange: { response: { status: 400 } }, control: {} });
    expect(result).not.toHaveProperty('concurrent');
  });

  test('is not excused if it was carried out and must not be', async () => {
    const counts = new Map<string, number>();
    const counting: Patch = (service) => {
      const { handle } = service;
      service.handle = (request) => {
        const name = nameIn(request);
        if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
        return handle(request);
      };
    };
    const results = await resultsOf(expectingRejection(caseOf('one')), [counting]);
    expect(counts.get('one')).toBe(1);
    expect(results).toMatchObject([{ exchange: { response: { status: 200 } } }]);
  });
});

describe('the cases of a plan', () => {
  test('are sent once if several requirements declare them', () => {
    const shared = caseOf('one');
    const all = [
      expecting(() => true, [shared]),
      expecting(() => true, [shared, caseOf('two')], { slug: 'b.case' }),
    ];
    const planned = planCases(all, all);
    const slugs = planned.map(({ requirements }) => requirements.map(({ slug }) => slug));
    expect(slugs).toEqual([['a.case', 'b.case'], ['b.case']]);
  });

  test('are also those of requirements on which a wanted one depends', () => {
    const key = expecting(() => true, [caseOf('key')], { slug: 'a.key' });
    const other = expecting(() => true, [caseOf('one')], { unless: ['a.key'] });
    expect(planCases([other], [key, other])).toHaveLength(2);
    expect(planCases([key], [key, other])).toHaveLength(1);
  });
});

test('a case is not sent if the usual request fails as well', () =>
  inWorld([broken], async (world) => {
    const list = await world.fetchList();
    world.history.first = world.lists.indexOf(list);
    const requirement = expectingRejection(caseOf('one'));
    await carryOut(world, planCases([requirement], [requirement]));
    expect(world.history.results).toEqual([]);
    expect(world.history.skipped).toMatchObject([
      { name: 'one', isExcluded: false, reason: expect.stringContaining('fails') },
    ]);
  }));

const broken: Patch = (service) => {
  service.list = () => ({ status: 500 });
};
