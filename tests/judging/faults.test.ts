import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { chapter, rfc, should } from '../../specs/requirement.ts';
import type { Requirement } from '../../src/requirement/requirement.ts';
import { judgeKept } from '../run.ts';
import { start, withPeople } from '../services/service.ts';

const source = rfc(9110, '1');
const sentence = 'It holds.';

const crashing = chapter('Example', [
  should('example.check', source, {
    sentence,
    needs: [],
    check: () => {
      throw new TypeError('x is not a function');
    },
  }),
]);

const unmakeable = chapter('Example', [
  should('example.case', source, {
    sentence,
    cases: [
      {
        name: 'a request that can not be made',
        operation: 'GET /users',
        change: () => {
          throw new TypeError('x is not a function');
        },
      },
    ],
    expect: () => [],
  }),
]);

async function judgeBeside(further: Requirement[]) {
  const service = await start(withPeople);
  const all = { requirements: [...further, ...requirements] };
  return judgeKept(service, {}, all).finally(service.close);
}

test.concurrent('a check that crashes is not verified, with the reason; the others are judged', async () => {
  const run = await judgeBeside(crashing);
  const fault = 'the check example.check crashed: x is not a function';
  expect(run.faults).toEqual([fault]);
  expect(run.notPassed()).toEqual([`example.check: not-verified, ${fault}`]);
});

test.concurrent('a case that can not be made ends the run, with the reason', async () => {
  const run = await judgeBeside(unmakeable);
  expect(run.faults).toEqual(['the run crashed: x is not a function']);
  expect(run.slugs('failed')).toEqual([]);
  expect(run.slugs('not-verified')).toContain('example.case');
});
