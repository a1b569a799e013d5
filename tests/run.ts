import { Agent } from 'undici';
import { requirements as all } from '../specs/index.ts';
import type { SkippedCase } from '../src/history/history.ts';
import { isLane } from '../src/http/exchange.ts';
import { type MakeSender, type Sender, senderFactory, senderFrom } from '../src/http/senders.ts';
import type { Outcome, OutcomeName } from '../src/requirement/outcome.ts';
import type { Level, Requirement } from '../src/requirement/requirement.ts';
import { judgeAgain } from '../src/run/again.ts';
import type { StartedService } from '../src/run/away.ts';
import { type ConductedRun, type ConductOptions, conduct } from '../src/run/conduct.ts';
import type { Target } from '../src/settings/settings.ts';
import type { Coverage } from '../src/thorough/coverage.ts';
import type { ExplorerOptions } from '../src/thorough/explore.ts';

type RunSettings = ConductOptions['settings'];

/** A time that no machine reaches, however busy it is: tests have no time limits. */
export const NEVER_MS = 6 * 3_600_000;

/**
 * The default settings, with shorter waits: a broken service must not make the tests wait for
 * seconds.
 */
const settings: RunSettings = {
  readOnly: false,
  // Services that never respond have a shorter timeout.
  timeoutMs: NEVER_MS,
  settleMs: 150,
  awayMs: 1500,
  deadlineMs: NEVER_MS,
  bodyLimit: 64 * 1024 * 1024,
  emailDomain: 'example.com',
};

/** A run with the questions that tests ask about its outcomes. */
export interface JudgedRun extends Omit<ConductedRun, 'outcomes'> {
  outcomes: (Outcome & { level: Level })[];
  /** Returns the cases that were not sent. */
  skipped: () => SkippedCase[];
  /** Returns the slugs with an outcome, sorted. */
  slugs: (outcome: OutcomeName, level?: Level) => string[];
  /** Returns the slugs with an outcome, and their reasons. */
  reasons: (outcome: OutcomeName, level?: Level) => string[];
  /** Returns slug, outcome and reason of everything that did not pass. */
  notPassed: () => string[];
}

/** The options of a test that judges a service. */
export interface JudgeOptions {
  requirements?: readonly Requirement[];
  only?: readonly string[];
  /** Whether the requests of all requirements are sent all the same. */
  sendsAll?: boolean;
  /** More cases and sequences: a thorough run. */
  explore?: NonNullable<ConductOptions['explore']>;
  /** Ends the run early. */
  signal?: AbortSignal;
  /** The started service, if the test replaces one that the run has started. */
  service?: StartedService;
  /** Whether the first failed MUST ends the run. */
  bail?: boolean;
}

/** The address of a service. A service in this process also has the senders that call it. */
export type Reachable = Target & { makeSender?: MakeSender };

/** Judges a service as a run does. */
export async function judgeAll(
  target: Reachable,
  changes: Partial<RunSettings> = {},
  { requirements = all, only, sendsAll, explore, signal, service, bail = false }: JudgeOptions = {},
): Promise<JudgedRun> {
  const musts = requirements.filter(({ level }) => level === 'MUST').map(({ slug }) => slug);
  const run = await conduct({
    requirements,
    isWanted: (slug) => only === undefined || only.includes(slug),
    target,
    settings: { ...settings, ...changes },
    ...(sendsAll && { sendsAll }),
    ...(explore && { explore }),
    ...(signal && { signal }),
    ...(service && { service }),
    ...(bail && {
      isEnough: ({ slug, outcome }: Outcome) => outcome === 'failed' && musts.includes(slug),
    }),
    ...(target.makeSender && { makeSender: target.makeSender }),
  });
  return withQuestions(run, requirements);
}

/**
 * Judges a service with connections that are also reused for POSTs, which takes a third of the
 * time. The service must not close connections during a run.
 */
export const judgeKept = (
  target: Reachable,
  changes: Partial<RunSettings> = {},
  options: JudgeOptions = {},
): Promise<JudgedRun> =>
  judgeAll({ ...target, makeSender: target.makeSender ?? keepingSenders() }, changes, options);

/** The options of a test that explores. */
export type Exploring = Partial<Omit<ExplorerOptions, 'seed' | 'requirements' | 'isWanted'>>;

/** A thorough run. */
export interface ThoroughRun extends JudgedRun {
  coverage: Coverage | undefined;
}

/** The default bounds, without the pause: most faults need no time, only depth. */
const EXPLORING = { budgetMs: NEVER_MS, maxRequests: 3000, maxUsers: 300, pauseMs: 0 };

/** Judges a service by a thorough run. */
export async function judgeThoroughly(
  target: Reachable,
  seed: number,
  exploring: Exploring = {},
  changes: Partial<RunSettings> = {},
  options: JudgeOptions = {},
): Promise<ThoroughRun> {
  // Loaded here, because most tests do not need it.
  const { makeExplorer } = await import('../src/thorough/explore.ts');
  const { thorough } = await import('../specs/thorough/index.ts');
  const { requirements = all, only } = options;
  const isWanted = (slug: string) => only === undefined || only.includes(slug);
  const fixed = { requirements, isWanted, seed };
  const explorer = makeExplorer({ thorough, ...EXPLORING, ...exploring, ...fixed });
  const run = await judgeKept(target, changes, { ...options, explore: explorer.explore });
  return { ...run, coverage: explorer.coverage() };
}

/** Returns the outcomes of a run, and those of its history after a round trip through JSON. */
export function judgedTwice(
  run: JudgedRun,
  requirements: readonly Requirement[] = all,
): [first: string[], again: string[]] {
  const history = JSON.parse(JSON.stringify(run.history()));
  const isWanted = ({ slug }: Requirement) => run.outcomes.some((outcome) => outcome.slug === slug);
  const { outcomes, faults } = judgeAgain(history, requirements.filter(isWanted), requirements);
  return [run.outcomes.map(outcomeText), [...outcomes.map(outcomeText), ...faults]];
}

/** Returns an outcome as one line. */
export const outcomeText = ({ slug, outcome, reason }: Outcome): string =>
  `${slug}: ${outcome}${reason && `, ${reason}`}`;

function withQuestions(run: ConductedRun, requirements: readonly Requirement[]): JudgedRun {
  const levels = new Map(requirements.map(({ slug, level }) => [slug, level]));
  const outcomes = run.outcomes.map((outcome) => {
    return { ...outcome, level: levels.get(outcome.slug) as Level };
  });
  const having = (name: OutcomeName, level?: Level) =>
    outcomes.filter(
      (outcome) => outcome.outcome === name && (level === undefined || outcome.level === level),
    );
  return {
    ...run,
    outcomes,
    skipped: () => run.history().skipped as SkippedCase[],
    slugs: (name, level) =>
      having(name, level)
        .map(({ slug }) => slug)
        .sort(),
    reasons: (name, level) => having(name, level).map(({ slug, reason }) => `${slug}: ${reason}`),
    notPassed: () => outcomes.filter(({ outcome }) => outcome !== 'passed').map(outcomeText),
  };
}

const CLIENT_OPTIONS: Agent.Options = { maxHeaderSize: 128 * 1024 };

/** Makes senders that also reuse connections for POSTs. */
function keepingSenders(): MakeSender {
  const usual = senderFactory()('new');
  const senderWith = (options: Agent.Options): Sender => {
    const sender = senderFrom(new Agent({ ...CLIENT_OPTIONS, ...options }));
    // Only the usual senders can send an Upgrade.
    const request: Sender['request'] = (outgoing) =>
      'upgrade' in (outgoing.headers ?? {}) ? usual.request(outgoing) : sender.request(outgoing);
    return { ...sender, request };
  };
  const reusing = senderWith({});
  const fresh = senderWith({ pipelining: 0 });
  const senders = [reusing, fresh];
  // Only a GET needs a connection that is really new.
  const forNew: Sender = {
    request: (request) => (request.method === 'GET' ? fresh : reusing).request(request),
    close: async () => {
      await Promise.all(senders.map((sender) => sender.close()));
    },
    destroy: async () => {
      await Promise.all(senders.map((sender) => sender.destroy()));
    },
  };
  return (connection) => {
    if (connection === 'new') return forNew;
    return senderWith(isLane(connection) ? { connections: 1 } : {});
  };
}
