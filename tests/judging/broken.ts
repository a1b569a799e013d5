import { afterAll, describe, expect, test } from 'vitest';
import type { Response } from '../../src/http/exchange.ts';
import { repeatLines } from '../../src/reports/curl.ts';
import type { Outcome } from '../../src/requirement/outcome.ts';
import { accept } from '../../src/verdict/accept.ts';
import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { type Repeated, Shell } from '../repeat.ts';
import { type JudgedRun, judgedTwice, judgeKept, NEVER_MS, outcomeText } from '../run.ts';
import type { Broken } from '../services/broken/broken.ts';
import { brokenServices } from '../services/broken/index.ts';
import { type Here, startHere } from '../services/here.ts';
import type { Patch } from '../services/service.ts';

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

/**
 * Services whose fault shows only after other requests of a run, or later, which no response tells:
 * their lines repeat what the report shows in vain.
 */
const NEEDS_HISTORY =
  /right for the first user only|leaks one of ten|user of the previous request|first request on a connection|not compared any more|a cached list needs no key|cached for gzip|cached by method and path|carried out 60 ms later|trace of a valid request|three workers caches|until a creation without the key|identifier of the previous user|first name outside ASCII|allows the first path alone|list after an empty body loses|one with a taken email gets|all users but the first/;

async function judgeBroken(
  broken: Broken,
  shell: Shell,
  meta: { caught?: string[] },
): Promise<void> {
  const { slug, name, also, mayAlso = [], patch, settings } = broken;
  const service = await startHere(patch);
  const run = await judgeKept(service, settings).finally(service.close);
  const failed = run.slugs('failed');
  // A sporadic fault need not show again when a request is repeated.
  const certain = run.outcomes.filter(
    ({ outcome, slug: failedSlug }) => outcome === 'failed' && !mayAlso.includes(failedSlug),
  );
  const untrue = certain.map((outcome) => untrueEvidence(outcome, service));
  for (const outcome of certain) untrue.push(await untrueLines(outcome, broken, shell));
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

/** Returns the reasons why the evidence of a failure is not true: its requests or its counts. */
function untrueEvidence({ slug, exchanges, got = '', seen }: Outcome, service: Here): string[] {
  // The base address is judged without a request.
  if (exchanges.length === 0) {
    return got.startsWith(service.baseUrl) ? [] : [`${slug}: no request shows it`];
  }
  const answered = exchanges.filter(({ response, attempts }) => response && attempts > 0);
  const isSilent =
    exchanges.some(({ failure }) => failure !== undefined) || /no response|none/.test(got);
  if (answered.length === 0 && !isSilent) return [`${slug}: no request that shows it was answered`];
  const { times, of } = seen ?? { times: 0, of: 0 };
  return times < 1 || of < times ? [`${slug}: seen ${times} of ${of} times`] : [];
}

/**
 * Pastes the lines that repeat a failure, against the service and the reference, both just started.
 * Returns the reason if they do not get what the report shows, or show nothing that is wrong.
 */
async function untrueLines(
  { slug, recipe = [] }: Outcome,
  { name, patch, settings }: Broken,
  shell: Shell,
): Promise<string[]> {
  if (NEEDS_HISTORY.test(name)) return [];
  let apiKey: string | undefined;
  const paste = async (...patches: Patch[]) => {
    const service = await startHere(...patches);
    apiKey ??= service.apiKey;
    const lines = repeatLines(recipe, service.baseUrl);
    const timeoutMs = settings?.timeoutMs ?? NEVER_MS;
    const responses = lines.length === 0 ? [] : await shell.run(lines, service, timeoutMs);
    await service.close();
    return { lines, responses };
  };
  const { lines, responses } = await paste(patch);
  const { lost, response: shown } = recipe.at(-1)?.exchange ?? {};
  const again = responses.at(-1);
  // A request that was lost was sent again.
  if (lost || shown === undefined || again === undefined) return [];
  const pasted = `by\n${lines.join('\n')}`;
  const isAsShown =
    again.status === shown.status && (isCut(shown) || haveSameMembers(shown, again));
  if (!isAsShown) return [`${slug}: ${shown.status}, and ${again.status} ${again.body} ${pasted}`];
  const right = await paste((service) => {
    service.key = apiKey ?? service.key;
  });
  const isWrong = textOf(right.responses) !== textOf(responses);
  return isWrong ? [] : [`${slug}: the reference sends the same ${pasted}`];
}

const isCut = ({ bodyEnd, cut }: Response): boolean => bodyEnd !== undefined || cut === true;

/** Whether two bodies have the same members, as far as the first, without the key, is JSON. */
function haveSameMembers(shown: { body: string }, again: { body: string }): boolean {
  const members = membersOf(shown.body);
  return members === undefined || [members, undefined].includes(membersOf(again.body));
}

function membersOf(body: string): string | undefined {
  try {
    const value = JSON.parse(body);
    if (Array.isArray(value)) return 'array';
    return typeof value === 'object' && value !== null ? Object.keys(value).sort().join() : '';
  } catch {
    return undefined;
  }
}

/** Returns the text of responses, without what each process chooses. */
function textOf(responses: readonly Repeated[]): string {
  const identifiers: string[] = [];
  const text = JSON.stringify(responses);
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\bdate: [^\\]*|\bservice-\d+/gi, '')
    .replace(/[\da-f]{8}-[\da-f-]{27}/gi, (identifier) => {
      if (!identifiers.includes(identifier)) identifiers.push(identifier);
      return `identifier ${identifiers.indexOf(identifier)}`;
    });
}
