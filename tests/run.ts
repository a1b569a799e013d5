import { Agent, type Dispatcher } from 'undici';
import { requirements as all } from '../specs/index.ts';
import { Client } from '../src/http/client.ts';
import { Session, type Tally } from '../src/plan/session.ts';
import { judgeInPhases } from '../src/requirement/judge.ts';
import type { Outcome } from '../src/requirement/outcome.ts';
import type { Level, Requirement } from '../src/requirement/requirement.ts';
import { select } from '../src/settings/selection.ts';
import type { Settings, Target } from '../src/settings/settings.ts';

/** The defaults, but for waits: a broken service must not make the self-tests wait for seconds. */
const settings: Settings = {
  strict: false,
  readOnly: false,
  knownFailures: [],
  reportDir: 'reports',
  timeoutMs: 10_000,
  settleMs: 150,
  deadlineMs: 30_000,
  bodyLimit: 64 * 1024 * 1024,
  emailDomain: 'example.com',
  selection: { only: [], skip: [] },
  notices: [],
};

export interface JudgedRun {
  outcomes: (Outcome & { level: Level })[];
  tally: Tally;
  /** The slugs of an outcome, sorted. */
  slugs: (outcome: Outcome['outcome'], level?: string) => string[];
}

/** Runs all checks against a target in this process, in the phases of a conformance run. */
export async function judgeAll(
  target: Target,
  changes: Partial<Settings> = {},
  { requirements = all, writes }: { requirements?: Requirement[]; writes?: Dispatcher } = {},
): Promise<JudgedRun> {
  const used = { ...settings, ...changes };
  const session = new Session(requirements, target, used, new Client(target, used, writes));
  const chosen = select(
    requirements.map(({ slug }) => slug),
    session.settings.selection,
  );
  const levels = new Map(requirements.map(({ slug, level }) => [slug, level]));
  const judged = await judgeInPhases(
    requirements.filter(({ slug }) => chosen.has(slug)),
    session,
  ).finally(() => session.client.close());
  const outcomes = judged.map((one) => ({ ...one, level: levels.get(one.slug) as Level }));
  const slugs: JudgedRun['slugs'] = (outcome, level) =>
    outcomes
      .filter((one) => one.outcome === outcome && (level === undefined || one.level === level))
      .map(({ slug }) => slug)
      .sort();
  return { outcomes, tally: session.tally(), slugs };
}

/**
 * The same with connections that are kept for POSTs as well, which takes two thirds of the time: for the hundreds of
 * services that close none during a run.
 */
export function judgeKept(target: Target, changes: Partial<Settings> = {}): Promise<JudgedRun> {
  return judgeAll(target, changes, { writes: new Agent() });
}
