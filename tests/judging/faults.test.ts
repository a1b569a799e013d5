import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { chapter, rfc, should } from '../../specs/requirement.ts';
import { cases } from '../../src/plan/evidence.ts';
import { type BodyCase, bodies } from '../../src/plan/steps/bodies.ts';
import { each, that } from '../../src/requirement/finding.ts';
import { judgeKept } from '../run.ts';
import { start, withPeople } from '../services/service.ts';
import { COMMAND, inFolder, reportIn, runNode } from '../shell.ts';

const source = rfc(9110, '1');
const sentence = 'It holds.';

const thrown: BodyCase = {
  what: 'a body that can not be made',
  make: () => {
    throw undefined;
  },
};

const broken = chapter('Example', [
  should('example.check', source, {
    sentence,
    evidence: {},
    check: () => {
      throw new TypeError('x is not a function');
    },
  }),
  should('example.case', source, {
    sentence,
    evidence: { refusals: cases(bodies, thrown) },
    check: ({ refusals }) => each(refusals, () => that(true, '', '')),
  }),
]);

test.concurrent('a check or a case that crashes is not verified, with the reason; the others go on', async () => {
  const judged = async (all: typeof requirements) => {
    const service = await start(withPeople);
    return judgeKept(service, {}, { requirements: all }).finally(service.close);
  };
  const run = await judged([...broken, ...requirements]);
  expect(run.faults).toEqual([
    'the check example.check crashed: x is not a function',
    'the step "bodies that no user can be made of" crashed: undefined was thrown',
  ]);
  expect(run.notPassed()).toEqual([
    `example.check: not-verified, ${run.faults[0]}`,
    `example.case: not-verified, ${run.faults[1]}`,
  ]);
});

test.concurrent('a run that crashes ends with exit code 4, one sentence for each fault, and its reports', async () => {
  await inFolder(async (folder) => {
    // What only the suite calls.
    const breaks = "String.prototype.isWellFormed = () => { throw new Error('a broken engine'); }";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(breaks)}`;
    const { code, stdout, stderr } = await runNode([COMMAND], { NODE_OPTIONS }, folder);
    expect(code, stderr).toBe(4);
    expect(stdout).toMatch(/^The suite itself failed: the step "first user" crashed: a broken engine$/m);
    expect(`${stdout}${stderr}`).not.toMatch(/^ +at /m);
    expect(reportIn(folder)?.verdict).toBe('inconclusive');
  });
});
