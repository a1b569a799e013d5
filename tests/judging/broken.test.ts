import { afterAll, describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { repeat } from '../../src/reports/exchange-text.ts';
import { accept, decide, type Verdict } from '../../src/verdict/verdict.ts';
import { Shell, statusOfCurl } from '../repeat.ts';
import { type JudgedRun, judgedTwice, judgeKept } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { type Here, startHere } from '../services/here.ts';
import { firstOf, oneOfEach } from '../services/sample.ts';

const shell = new Shell();
afterAll(() => shell.close());

/** What fails besides depends on the variations that a run takes of its cases: here always the same ones. */
const CHOICES = 'tests';

/** Runs that are judged again by their record. */
const judgedAgain = new Set(
  oneOfEach(
    4,
    firstOf(brokenServices, ({ slug }) => slug),
    () => 'any',
  ),
);

/**
 * The verdict of a run when these failures are accepted, but for what is open for a reason of its own, and needs that.
 */
function verdictWhenKnown({ outcomes }: JudgedRun, slugs: string[]): Verdict {
  const knownFailures = slugs.map((slug) => ({ slug, reason: 'why', file: 'known.yml', line: 1, expired: false }));
  const accepted = outcomes.map((one) => ({ ...accept(one, knownFailures), level: one.level }));
  const open = accepted.filter(({ outcome }) => outcome === 'not-verified');
  const roots = open.filter(({ reason }) => !reason.startsWith('needs: ')).map(({ slug }) => slug);
  const excepted = open.filter(({ slug, needs = slug }) => roots.includes(needs));
  const judged = accepted.filter((one) => !excepted.includes(one));
  return decide(judged, { strict: true, knownFailures }).verdict;
}

/**
 * What is not as the failures of a run say it is: the requests that show them, the curl line, and how often each was
 * seen.
 */
async function untrueEvidence({ outcomes }: JudgedRun, service: Here): Promise<string[]> {
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
  const found = failed.map(async ({ slug, exchanges, got = '', seen = { times: 0, of: 0 } }) => {
    const { origin } = new URL(service.baseUrl);
    const line = repeat(exchanges, origin);
    // The setting alone is judged, and shown.
    // No line holds what is longer than any argument of a command.
    if (exchanges.at(-1)?.request.cut) return [];
    if (line === undefined) return got.startsWith(service.baseUrl) ? [] : [`${slug}: no request shows it`];
    const answers = exchanges.filter(({ response, attempts }) => response && attempts > 0);
    const isSilent = exchanges.some(({ failure }) => failure !== undefined) || /no response|none/.test(got);
    if (answers.length === 0 && !isSilent) return [`${slug}: no request that shows it was answered`];
    if (seen.times < 1 || seen.of < seen.times) return [`${slug}: seen ${seen.times} of ${seen.of} times`];
    const { response } = exchanges.at(-1) ?? {};
    // A fault that was not seen each time need not be seen by one more request.
    if (response === undefined || seen.times < seen.of) return [];
    const status = await statusOfCurl(line, service, shell);
    return status === response.status ? [] : [`${slug}: ${response.status}, and ${status} by ${line}`];
  });
  return (await Promise.all(found)).flat();
}

describe.concurrent('broken services', () => {
  const tried = oneOfEach(12, brokenServices, ({ slug }) => slug);
  test.for(tried)('$slug: $name', async (one, { task }) => {
    const { slug, also, patch, settings } = one;
    const service = await startHere(patch);
    const run = await judgeKept(service, { choices: CHOICES, ...settings });
    const untrue = await untrueEvidence(run, service).finally(service.close);
    task.meta.caught = run.slugs('failed');
    const failed = run.outcomes.filter(({ outcome }) => outcome === 'failed');
    const expected = [slug, ...also].sort();
    const told = [...failed, ...run.outcomes.filter((own) => own.slug === slug && own.outcome !== 'failed')];
    const reasons = told.map((own) => `${own.slug}: ${own.outcome}, ${own.reason}`).join('\n');
    expect(run.slugs('failed'), `what fails:\n${reasons}`).toEqual(expected);
    expect(untrue).toEqual([]);
    if (judgedAgain.has(one)) {
      const [first, again] = judgedTwice(run);
      expect(again, 'judged again').toEqual(first);
    }
    expect(verdictWhenKnown(run, expected), 'with what fails in the known failures').toBe('conformant');
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

  test.each(requirements.filter(({ level }) => level === 'MUST'))('$slug catches two kinds of fault', ({ slug }) => {
    expect(brokenServices.filter((one) => one.slug === slug).length).toBeGreaterThan(1);
  });
});
