import { afterAll, describe, expect, test } from 'vitest';
import { curlCommand } from '../../src/reports/exchange-text.ts';
import type { Outcome } from '../../src/requirement/outcome.ts';
import { accept, decide, type Verdict } from '../../src/verdict/verdict.ts';
import { Shell, statusOfCurl } from '../repeat.ts';
import { type JudgedRun, judgedTwice, judgeKept, outcomeText } from '../run.ts';
import type { Broken } from '../services/broken/broken.ts';
import { brokenServices } from '../services/broken/index.ts';
import { type Here, startHere } from '../services/here.ts';

/** The chapters whose broken services each test file judges. Files run in parallel. */
export const PARTS = {
  guard: ['versioning', 'authentication', 'guard'],
  http: ['http'],
  create: ['create', 'round-trip'],
  read: ['list', 'retrieve'],
};

/**
 * Judges the broken services of some chapters by a default run. Each must fail its requirement and
 * those listed with it, and no other; and the evidence must be true.
 */
export function testBroken(part: keyof typeof PARTS): void {
  const shell = new Shell();
  afterAll(() => shell.close());
  const titled = brokenServices
    .filter(({ slug }) => PARTS[part].some((chapter) => slug.startsWith(`${chapter}.`)))
    .map((service): [string, Broken] => [`${service.slug}: ${service.name}`, service]);
  describe.concurrent('broken services', () => {
    test.for(titled)('%s', ([, service], { task }) => judgeBroken(service, shell, task.meta));
  });
}

async function judgeBroken(
  { slug, name, also, mayAlso = [], patch, settings }: Broken,
  shell: Shell,
  meta: { caught?: string[] },
): Promise<void> {
  const service = await startHere(patch);
  const run = await judgeKept(service, settings);
  const failed = run.slugs('failed');
  // A sporadic fault need not show again when a request is repeated.
  const certain = run.outcomes.filter(
    ({ outcome, slug: failedSlug }) => outcome === 'failed' && !mayAlso.includes(failedSlug),
  );
  const untrue = await Promise.all(
    certain.map((outcome) => untrueEvidence(outcome, service, shell)),
  ).finally(service.close);
  meta.caught = failed;
  const expected = [slug, ...also, ...mayAlso.filter((other) => failed.includes(other))];
  const isShown = (outcome: Outcome) => outcome.outcome === 'failed' || outcome.slug === slug;
  const reasons = run.outcomes.filter(isShown).map(outcomeText).join('\n');
  expect(failed, `failures:\n${reasons}`).toEqual([...new Set(expected)].sort());
  expect(run.faults).toEqual([]);
  expect(untrue.flat()).toEqual([]);
  // Judging a history takes long, so the first service of each requirement is enough.
  if (brokenServices.find((service) => service.slug === slug)?.name === name) {
    const [first, again] = judgedTwice(run);
    expect(again, 'judged again').toEqual(first);
  }
  expect(verdictIfAccepted(run, failed), 'with these known failures').toBe('conformant');
}

/**
 * Returns the verdict of a run if these failures are accepted. Requirements are left out that are
 * not verified, unless a failed one is the reason; and so are those that depend on them.
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

/**
 * Returns the reasons why the evidence of a failure is not true: its requests, curl line or counts.
 */
async function untrueEvidence(outcome: Outcome, service: Here, shell: Shell): Promise<string[]> {
  const { slug, exchanges, got = '', seen = { times: 0, of: 0 } } = outcome;
  const { origin } = new URL(service.baseUrl);
  // A body that was cut for the report can't be repeated.
  if (exchanges.at(-1)?.request.cut) return [];
  const line = curlCommand(exchanges, origin);
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
  // A sporadic fault need not show again.
  if (response === undefined || seen.times < seen.of) return [];
  const status = await statusOfCurl(line, service, shell);
  return status === response.status
    ? []
    : [`${slug}: ${response.status}, and ${status} by ${line}`];
}
