import { expect, test } from 'vitest';
import { chapter, must, rfc } from '../../specs/requirement.ts';
import type { MakeSender, Sender } from '../http/senders.ts';
import { wholeRun, yieldOf } from '../plan/evidence.ts';
import { firstLook } from '../plan/steps/first.ts';
import { lastLooks } from '../plan/steps/last.ts';
import { that } from '../requirement/finding.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { judgeAgain } from './again.ts';
import { type Conduct, conduct } from './conduct.ts';

const EMPTY = '{"data":[],"total":0}';

/** Gives these answers in turn, the last one again and again. */
function answering(...answers: [status: number, body?: string][]): { makeSender: MakeSender; sent: string[] } {
  const sent: string[] = [];
  const sender: Sender = {
    request: async ({ method, path }) => {
      const [statusCode, body = ''] = answers[Math.min(sent.length, answers.length - 1)] ?? [500];
      sent.push(`${method} ${path}`);
      return { statusCode, headers: [], body: Buffer.from(body) };
    },
    close: async () => {},
    destroy: async () => {},
  };
  return { makeSender: () => sender, sent };
}

const source = rfc(9110, '15');
const requirements: Requirement[] = chapter('A chapter', [
  must('list.first', source, {
    sentence: 'The first list is returned.',
    evidence: { look: yieldOf(firstLook) },
    check: ({ look }) => that(look.ok, 'a 2xx status', `${look.exchange.response?.status}`, look.exchange),
  }),
  must('list.all', source, {
    sentence: 'Each list is returned.',
    evidence: { run: wholeRun },
    check: ({ run }) => run.looks.map(({ ok, exchange }) => that(ok, 'a 2xx status', 'another', exchange)),
  }),
]);

const settings = {
  ...{ readOnly: true, timeoutMs: 5000, settleMs: 0, awayMs: 0, deadlineMs: 60_000 },
  ...{ bodyLimit: 2 ** 20, emailDomain: 'example.com' },
};

const target = { baseUrl: 'http://target.test/v1', apiKey: 'a-key-of-the-test-1' };

const run = (makeSender: MakeSender, options: Partial<Conduct> = {}) =>
  conduct({ requirements, isWanted: () => true, target, settings, makeSender, ...options });

test('a run sends what the wanted requirements need, and nothing else', async () => {
  const { makeSender, sent } = answering([200, EMPTY]);
  const { outcomes, faults } = await run(makeSender, { isWanted: (slug) => slug === 'list.first' });
  expect(outcomes).toMatchObject([{ slug: 'list.first', outcome: 'passed' }]);
  expect(sent).toEqual(['GET /v1/users']);
  expect(faults).toEqual([]);
});

test('an outcome is told as soon as it is final, each once', async () => {
  const told: string[] = [];
  const { makeSender } = answering([500]);
  const { outcomes } = await run(makeSender, {
    onOutcome: ({ slug, outcome }) => void told.push(`${slug} ${outcome}`),
  });
  expect(told).toEqual(['list.first failed', 'list.all failed']);
  expect(outcomes[0]).toMatchObject({ reason: 'expected a 2xx status, got 500' });
});

test('where one outcome is enough, the rest is not run', async () => {
  const { makeSender } = answering([200, EMPTY]);
  const last = must('list.last', source, {
    sentence: 'The last list is returned.',
    evidence: { looks: yieldOf(lastLooks) },
    check: ({ looks }) => that(looks.last.ok, 'a 2xx status', 'another', looks.last.exchange),
  });
  const { outcomes } = await run(makeSender, {
    requirements: [...requirements, ...chapter('A chapter', [last])],
    isEnough: ({ slug }) => slug === 'list.first',
  });
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['passed', 'not-verified', 'not-verified']);
  expect(outcomes[2]?.reason).toBe('not run: --bail ended the run at list.first');
});

test('what an interrupt leaves open is not verified, and says why', async () => {
  const { makeSender, sent } = answering([200, EMPTY]);
  const { outcomes } = await run(makeSender, { signal: AbortSignal.abort() });
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['not-verified', 'not-verified']);
  expect(outcomes[0]?.reason).toBe('the run was interrupted');
  expect(sent).toEqual([]);
});

test('a target that takes no request with this key is one obstacle, told without the key', async () => {
  const { makeSender } = answering([401, `no such key: ${target.apiKey}`]);
  const { obstacle, outcomes, record } = await run(makeSender);
  expect(obstacle).toBe('the service returns 401 for GET /users with this API_KEY: is it the right key?');
  expect(outcomes.some(({ outcome }) => outcome === 'passed')).toBe(false);
  expect(JSON.stringify(record)).not.toContain(target.apiKey);
});

test('a check that crashes is a fault of the suite, and leaves its requirement open', async () => {
  const broken = chapter('A chapter', [
    must('list.broken', source, { sentence: 'It crashes.', evidence: {}, check: () => JSON.parse('') }),
  ]);
  const { outcomes, faults } = await run(answering([200, EMPTY]).makeSender, { requirements: broken });
  expect(outcomes).toMatchObject([{ outcome: 'not-verified' }]);
  expect(faults).toEqual([expect.stringContaining('the check list.broken crashed')]);
});

test('a run is judged again by its evidence, and ends the same', async () => {
  const { makeSender, sent } = answering([200, EMPTY], [200, EMPTY]);
  const { outcomes, evidence } = await run(makeSender);
  const before = sent.length;
  const again = judgeAgain(evidence(), requirements, 'it is not there');
  expect(again.outcomes.map(({ outcome }) => outcome)).toEqual(outcomes.map(({ outcome }) => outcome));
  expect(sent).toHaveLength(before);
});
