import { Agent } from 'undici';
import { requirements as all } from '../specs/index.ts';
import { judgeAgain } from '../src/conduct/again.ts';
import { type Conduct, conduct, type RunOutcome, type Tries, tryAgain } from '../src/conduct/conduct.ts';
import type { Exploration } from '../src/conduct/explore.ts';
import { isLane } from '../src/http/exchange.ts';
import { type MakeSender, type Sender, senderBy } from '../src/http/senders.ts';
import type { StartedService } from '../src/plan/service-end.ts';
import type { Outcome } from '../src/requirement/outcome.ts';
import type { Level, Requirement } from '../src/requirement/requirement.ts';
import type { Target } from '../src/settings/settings.ts';

/** The defaults, but for waits: a broken service must not make the self-tests wait for seconds. */
const settings: Conduct['settings'] = {
  readOnly: false,
  // A busy machine may take its time: what keeps silent has a shorter one of its own.
  timeoutMs: 60_000,
  settleMs: 150,
  awayMs: 1500,
  deadlineMs: 240_000,
  bodyLimit: 64 * 1024 * 1024,
  emailDomain: 'example.com',
};

export interface JudgedRun extends Omit<RunOutcome, 'outcomes'> {
  outcomes: (Outcome & { level: Level })[];
  /** The slugs of an outcome, sorted. */
  slugs: (outcome: Outcome['outcome'], level?: Level) => string[];
  /** Each of them with the reason. */
  told: (outcome: Outcome['outcome'], level?: Level) => string[];
  /** What is not passed: slug, outcome and reason. */
  notPassed: () => string[];
}

interface Options {
  requirements?: Requirement[];
  only?: string[];
  /** What is explored when the plan is carried out. */
  exploration?: Exploration;
  /** Ends the run before its time. */
  signal?: AbortSignal;
  /** The target's own process, where the run has started it. */
  service?: StartedService;
  /** Whether connections are kept for POSTs as well, which takes two thirds of the time. */
  kept?: boolean;
}

/** A target, and what reaches it where no network does. */
type Reached = Target & { makeSender?: MakeSender };

/** Tries a requirement again on a target in this process, or drawn cases of it. */
export function tryHere(
  target: Reached,
  slug: string,
  changes: Partial<typeof settings> = {},
  how: Partial<Conduct> = {},
  most: Parameters<typeof tryAgain>[2] = {},
): Promise<Tries> {
  const makeSender = target.makeSender ?? keeping();
  const options = { requirements: all, isWanted: (one: string) => one === slug, target, makeSender, ...how };
  return tryAgain({ ...options, settings: { ...settings, ...changes } }, slug, most);
}

/** Judges a target in this process, as a run does. */
export async function judgeAll(
  target: Reached,
  changes: Partial<typeof settings> = {},
  { requirements = all, only, kept = false, exploration, signal, service }: Options = {},
): Promise<JudgedRun> {
  const makeSender = target.makeSender ?? (kept ? keeping() : undefined);
  const conducted = await conduct({
    requirements,
    isWanted: (slug) => only === undefined || only.includes(slug),
    target,
    settings: { ...settings, ...changes },
    ...(exploration && { exploration }),
    ...(signal && { signal }),
    ...(service && { service }),
    ...(makeSender && { makeSender }),
  });
  const levels = new Map(requirements.map(({ slug, level }) => [slug, level]));
  const outcomes = conducted.outcomes.map((one) => ({ ...one, level: levels.get(one.slug) as Level }));
  const having = (outcome: Outcome['outcome'], level?: Level) =>
    outcomes.filter((one) => one.outcome === outcome && (level === undefined || one.level === level));
  return {
    ...conducted,
    outcomes,
    slugs: (outcome, level) =>
      having(outcome, level)
        .map(({ slug }) => slug)
        .sort(),
    told: (outcome, level) => having(outcome, level).map(({ slug, reason }) => `${slug}: ${reason}`),
    notPassed: () =>
      outcomes.flatMap(({ slug, outcome, reason }) => (outcome === 'passed' ? [] : [`${slug}: ${outcome}, ${reason}`])),
  };
}

/**
 * What a run has come to, and what comes of its evidence when it is written and judged again: slug, outcome, reason.
 */
export function judgedTwice(run: JudgedRun, requirements = all): [first: string[], again: string[]] {
  const evidence = JSON.parse(JSON.stringify(run.evidence()));
  const wanted = requirements.filter(({ slug }) => run.outcomes.some((one) => one.slug === slug));
  const { outcomes, faults } = judgeAgain(evidence, wanted, 'the run ended before it');
  const told = (outcomes: readonly Outcome[]) =>
    outcomes.map(({ slug, outcome, reason, needs }) => `${slug}: ${outcome}, ${reason}, ${needs}`);
  return [told(run.outcomes), [...told(outcomes), ...faults]];
}

/** Senders that keep connections for POSTs, too. */
function keeping(): MakeSender {
  const options = { maxHeaderSize: 128 * 1024 };
  const senderWith = (own: Agent.Options) => senderBy(new Agent({ ...options, ...own }));
  const [kept, fresh] = [senderWith({}), senderWith({ pipelining: 0 })];
  // What must be known of a new connection is asked by a GET.
  const ofNew: Sender = {
    request: (one) => (one.method === 'GET' ? fresh : kept).request(one),
    close: async () => void (await Promise.all([kept.close(), fresh.close()])),
    destroy: async () => void (await Promise.all([kept.destroy(), fresh.destroy()])),
  };
  return (connection) => (connection === 'new' ? ofNew : senderWith(isLane(connection) ? { connections: 1 } : {}));
}

/**
 * The same with connections that are kept for POSTs, too: for the hundreds of services that close none during a run.
 */
export function judgeKept(
  target: Reached,
  changes: Partial<typeof settings> = {},
  options: Omit<Options, 'kept'> = {},
): Promise<JudgedRun> {
  return judgeAll(target, changes, { ...options, kept: true });
}

/** Judges a target thoroughly, by some topics or all, without the pause: for what needs no time, only depth. */
export async function judgeThoroughly(
  target: Reached,
  seed: number,
  explored: Partial<Exploration> = {},
  changes: Partial<typeof settings> = {},
  options: Omit<Options, 'exploration'> = {},
): Promise<JudgedRun> {
  const { topics } = await import('../specs/thorough/index.ts');
  const bounds = { seed, budgetMs: 60_000, maxRequests: 3000, maxUsers: 300, pauseMs: 0 };
  return judgeAll(target, changes, { kept: true, ...options, exploration: { topics, ...bounds, ...explored } });
}
