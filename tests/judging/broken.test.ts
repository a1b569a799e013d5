import { afterAll, describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { repeat } from '../../src/reports/exchange-text.ts';
import type { Outcome } from '../../src/requirement/outcome.ts';
import { accept, decide, type Verdict } from '../../src/verdict/verdict.ts';
import { Shell, statusOfCurl } from '../repeat.ts';
import { type JudgedRun, judgedTwice, judgeKept, outcomeText } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { type Here, startHere } from '../services/here.ts';

const shell = new Shell();
afterAll(() => shell.close());

/**
 * The verdict of a run if these failures are accepted. Requirements that are not verified for a
 * reason of their own are left out, and so are those that depend on them.
 */
function verdictIfAccepted({ outcomes }: JudgedRun, slugs: readonly string[]): Verdict {
  const knownFailures = slugs.map((slug) => ({
    slug,
    reason: 'why',
    file: 'known.yml',
    line: 1,
    expired: false,
  }));
  const accepted = outcomes.map((outcome) => ({
    ...accept(outcome, knownFailures),
    level: outcome.level,
  }));
  const open = accepted.filter(({ outcome }) => outcome === 'not-verified');
  const roots = open.filter(({ needs }) => needs === undefined).map(({ slug }) => slug);
  const excepted = open.filter(({ slug, needs = slug }) => roots.includes(needs));
  const judged = accepted.filter((outcome) => !excepted.includes(outcome));
  return decide(judged, { strict: true, knownFailures }).verdict;
}

/** Says where the evidence of failures is not true: requests, curl line, how often it was seen. */
async function untrueEvidence({ outcomes }: JudgedRun, service: Here): Promise<string[]> {
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
  const untrue = await Promise.all(failed.map((outcome) => untrueFailure(outcome, service)));
  return untrue.flat();
}

async function untrueFailure(outcome: Outcome, service: Here): Promise<string[]> {
  const { slug, exchanges, got = '', seen = { times: 0, of: 0 } } = outcome;
  const { origin } = new URL(service.baseUrl);
  // A line with a longer body fits into no command.
  if (exchanges.at(-1)?.request.cut) return [];
  const line = repeat(exchanges, origin);
  // The base address is judged without a request.
  if (line === undefined) {
    return got.startsWith(service.baseUrl) ? [] : [`${slug}: no request shows it`];
  }
  const answered = exchanges.filter(({ response, attempts }) => response && attempts > 0);
  const isSilent =
    exchanges.some(({ failure }) => failure !== undefined) || /no response|none/.test(got);
  if (answered.length === 0 && !isSilent) return [`${slug}: no request that shows it was answered`];
  if (seen.times < 1 || seen.of < seen.times)
    return [`${slug}: seen ${seen.times} of ${seen.of} times`];
  const { response } = exchanges.at(-1) ?? {};
  // A fault that is not there each time need not be seen once more.
  if (response === undefined || seen.times < seen.of) return [];
  const status = await statusOfCurl(line, service, shell);
  return status === response.status
    ? []
    : [`${slug}: ${response.status}, and ${status} by ${line}`];
}

describe.concurrent('broken services', () => {
  test.for(brokenServices)('$slug: $name', async ({ slug, also, patch, settings }, { task }) => {
    const service = await startHere(patch);
    const run = await judgeKept(service, settings);
    const untrue = await untrueEvidence(run, service).finally(service.close);
    task.meta.caught = run.slugs('failed');
    const expected = [slug, ...also].sort();
    const isTold = (outcome: Outcome) => outcome.outcome === 'failed' || outcome.slug === slug;
    const reasons = run.outcomes.filter(isTold).map(outcomeText).join('\n');
    expect(run.slugs('failed'), `what fails:\n${reasons}`).toEqual(expected);
    expect(run.faults).toEqual([]);
    expect(untrue).toEqual([]);
    const [first, again] = judgedTwice(run);
    expect(again, 'judged again').toEqual(first);
    expect(verdictIfAccepted(run, expected), 'with these known failures').toBe('conformant');
  });
});

test('each has a name of its own', () => {
  const names = brokenServices.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});

describe('no check is idle', () => {
  test.each(requirements)('$slug alone catches a service', ({ slug }) => {
    // A 500 breaks a recommendation, too, whatever was sent.
    const caughtByItAlone = brokenServices.filter(
      (one) => one.slug === slug && one.also.every((other) => other === 'http.no-server-error'),
    );
    expect(caughtByItAlone.length).toBeGreaterThan(0);
  });

  test.each(requirements.filter(({ level }) => level === 'MUST'))(
    '$slug catches two kinds of fault',
    ({ slug }) => {
      expect(brokenServices.filter((one) => one.slug === slug).length).toBeGreaterThan(1);
    },
  );
});
