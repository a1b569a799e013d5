import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { type JudgedRun, judgeAll } from '../run.ts';
import { startHere } from '../services/here.ts';
import type { Patch } from '../services/service.ts';

const verdictOf = ({ outcomes }: JudgedRun) =>
  decide(outcomes, { strict: false, knownFailures: [] }).verdict;

/** Each request waits longer than the previous one, as with the middleware express-slow-down. */
const slowsDown: Patch = (service) => {
  const { handle } = service;
  let waitMs = 0;
  service.handle = async (request) => {
    if (service.users.length > 0) waitMs += 60;
    await setTimeout(waitMs);
    return handle(request);
  };
};

test.concurrent('a service that takes longer for each request is not verified, and the reason says so', async () => {
  const service = await startHere(slowsDown);
  const run = await judgeAll(service, { timeoutMs: 6000 }).finally(service.close);
  expect(run.reasons('failed')).toEqual([]);
  expect(verdictOf(run)).toBe('inconclusive');
  expect(run.reasons('not-verified').join()).toMatch(/takes longer for each request \(\d+ ms now/);
});

/** After the retrieval of an identifier no request gets a response. */
const hangsAfter =
  (segment: string): Patch =>
  (service) => {
    const { handle } = service;
    let isStuck = false;
    service.handle = (request) => {
      isStuck ||= request.path.endsWith(`/${segment}`);
      return isStuck ? new Promise(() => {}) : handle(request);
    };
  };

const IDENTIFIERS = [
  ['null', 'null'],
  ['undefined', 'undefined'],
  ['a quote', '%27'],
  ['a percent sign', '%25'],
  ['NUL', '%00'],
  ['a slash', '%2F'],
  ['4,000 letters', 'x'.repeat(4000)],
] as const;

test.concurrent.for(IDENTIFIERS)(
  'a service that hangs for everybody after the identifier %s fails for it',
  async ([, segment]) => {
    const service = await startHere(hangsAfter(segment));
    const settings = { timeoutMs: 1000, awayMs: 1000 };
    const run = await judgeAll(service, settings).finally(service.close);
    expect(run.slugs('failed')).toEqual(['http.survives-bad-requests']);
    expect(run.reasons('failed').join()).toContain(
      `directly after GET /v1/users/${segment}`.slice(0, 40),
    );
  },
);

/** The retrieval of a user whose email an earlier one has gets no response. */
const hangsOnTwins: Patch = (service) => {
  const { handle } = service;
  service.handle = (request) => {
    const index = service.users.findIndex(({ id }) => request.path.endsWith(`/${id}`));
    const email = service.users[index]?.email.toLowerCase();
    const isTwin = service.users.slice(0, index).some((user) => user.email.toLowerCase() === email);
    return index > 0 && isTwin ? new Promise(() => {}) : handle(request);
  };
};

test.concurrent('a second user with an email whose retrieval gets no response is not verified', async () => {
  const service = await startHere(hangsOnTwins);
  const settings = { timeoutMs: 1000, awayMs: 1000 };
  const run = await judgeAll(service, settings).finally(service.close);
  expect(run.slugs('failed')).toEqual([]);
  expect(run.slugs('not-verified')).toContain('create.same-email');
});
