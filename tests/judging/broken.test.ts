import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { accept } from '../../src/verdict/accept.ts';
import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { type JudgedRun, judgeKept } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { startHere } from '../services/here.ts';

/** The verdict of a run when these failures are accepted, but for what is open for a reason of its own, and needs that. */
function verdictWhenKnown({ outcomes }: JudgedRun, slugs: string[]): Verdict {
  const knownFailures = slugs.map((slug) => ({ slug, reason: 'why', file: 'known.yml', line: 1, expired: false }));
  const accepted = outcomes.map((one) => ({ ...accept(one, knownFailures), level: one.level }));
  const open = accepted.filter(({ outcome }) => outcome === 'not-verified');
  const roots = open.filter(({ reason }) => !reason.startsWith('needs: ')).map(({ slug }) => slug);
  const excepted = open.filter(({ slug, needs = slug }) => roots.includes(needs));
  const judged = accepted.filter((one) => !excepted.includes(one));
  return decide(judged, { strict: true, knownFailures }).verdict;
}

describe.concurrent('broken services', () => {
  test.for(brokenServices)('$slug: $name', async ({ slug, also, patch, settings }, { task }) => {
    const service = await startHere(patch);
    const run = await judgeKept(service, settings).finally(service.close);
    task.meta.caught = run.slugs('failed');
    const failed = run.outcomes.filter(({ outcome }) => outcome === 'failed');
    const expected = [slug, ...also].sort();
    const told = [...failed, ...run.outcomes.filter((one) => one.slug === slug && one.outcome !== 'failed')];
    const reasons = told.map((one) => `${one.slug}: ${one.outcome}, ${one.reason}`).join('\n');
    expect(run.slugs('failed'), `what fails:\n${reasons}`).toEqual(expected);
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
