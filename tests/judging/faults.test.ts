import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { chapter, rfc, should } from '../../specs/requirement.ts';
import type { Requirement } from '../../src/requirement/requirement.ts';
import { judgeKept } from '../run.ts';
import { start, withPeople } from '../services/service.ts';
import { COMMAND, inFolder, reportIn, runNode } from '../shell.ts';

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

test.concurrent('a run that crashes ends with exit code 4, one sentence for each fault, and its reports', async () => {
  await inFolder(async (folder) => {
    // What only the suite calls.
    const breaks = "String.prototype.isWellFormed = () => { throw new Error('a broken engine'); }";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(breaks)}`;
    const { code, stdout, stderr } = await runNode([COMMAND], { NODE_OPTIONS }, folder);
    expect(code, stderr).toBe(4);
    expect(stdout).toMatch(/^The suite itself failed: the run crashed: a broken engine$/m);
    expect(`${stdout}${stderr}`).not.toMatch(/^ +at /m);
    expect(reportIn(folder)?.verdict).toBe('inconclusive');
  });
});
