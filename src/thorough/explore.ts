import type { History } from '../history/history.ts';
import { type Case, isValidCase } from '../requirement/case.ts';
import type { Part, Requirement } from '../requirement/requirement.ts';
import type { PlannedCase } from '../run/runner.ts';
import type { World } from '../run/world.ts';
import { Budget, type Usage } from './budget.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type DrawnCases, type Source, sourceOf } from './drawn-cases.ts';
import { Rounds } from './rounds.ts';
import { sequenceKinds } from './sequences.ts';

/** The cases and sequences that a thorough run draws. */
export interface Thorough {
  kinds: readonly DrawnCases[];
  sequences: {
    /** The requirement on the valid requests after the cases. */
    slug: string;
    /** The cases in sequences. */
    cases: readonly Case[];
    /** The cases that are repeated many times in a row. */
    rows: readonly Case[];
    /** The requirements on a user who is created in a sequence. */
    created: readonly string[];
  };
}

/** The progress of an exploration. */
export interface Progress extends Usage {
  /** The present activity. */
  activity: string;
  budgetMs: number;
}

export interface ExplorerOptions {
  /** The seed from which all cases follow. */
  seed: number;
  budgetMs: number;
  maxRequests: number;
  maxUsers: number;
  requirements: readonly Requirement[];
  isWanted: (slug: string) => boolean;
  thorough: Thorough;
  /** The path of a failure that a run has reported. Absent: everything is sent. */
  path?: string;
  /** Whether the history is enough, so that no further round is sent. */
  isEnough?: (history: History) => boolean;
  /** Rounds at most. Absent: as many as the limits allow. */
  maxRounds?: number;
  /** The length of the one pause. Milliseconds. Absent: 10.5 s. */
  pauseMs?: number;
  onProgress?: (progress: Progress) => void;
}

/** Explores a service beyond the default run, and counts the coverage. */
export interface Explorer {
  explore: (world: World) => Promise<void>;
  /** Undefined if the run ended before the exploration. */
  coverage: () => Coverage | undefined;
}

/** Requests in flight at the same time: more than the pools of most services hold. */
const MOST_AT_ONCE = 96;
/** The mean response time from which a service gets fewer requests at the same time. */
const QUICK_MS = 250;
/** Gunicorn, nginx and Node close idle connections after 2 to 10 s. */
const PAUSE_MS = 10_500;
/** Most users exist by then, and the limits allow some creations after the pause. */
const ROUNDS_BEFORE_PAUSE = 3;
/** The difference between the seeds of two kinds in a row. */
const SEED_STEP = 1000;

/** Makes an explorer. The same seed sends the same requests, apart from the tag of the run. */
export function makeExplorer(options: ExplorerOptions): Explorer {
  const { seed, budgetMs, maxRequests, maxUsers } = options;
  const seconds = Math.round(budgetMs / 1000);
  const bounds = { seconds, requests: maxRequests, users: maxUsers };
  let coverage: (() => Coverage) | undefined;
  return {
    explore: async (world) => {
      const budget = new Budget(world, options);
      const rounds = roundsFor(world, budget, options);
      let ended = 'the run ended';
      coverage = () => {
        const { kinds, judged } = rounds.sender;
        const info = { seed, bounds, ended, rounds: rounds.sent, kinds, judged };
        return coverageOf(world.history, info);
      };
      ended = await explore(world, budget, rounds, options);
    },
    coverage: () => coverage?.(),
  };
}

/** Makes the rounds that the wanted requirements need. */
function roundsFor(world: World, budget: Budget, options: ExplorerOptions): Rounds {
  const { requirements, isWanted, thorough, seed } = options;
  const { slug, cases, rows, created } = thorough.sequences;
  const wanted = requirements.filter((requirement) => isWanted(requirement.slug));
  const needs = (part: Part) => wanted.some((requirement) => needsPart(requirement, part));
  const isSequenceWanted = wanted.some((requirement) => requirement.slug === slug);
  const areSequencesNeeded = cases.length > 0 && (needs('users') || isSequenceWanted);
  const plan = (testCase: Case) => planInSequence(testCase, slug, requirements);
  const sequences = areSequencesNeeded ? sequenceKinds(cases.map(plan), rows.map(plan)) : [];
  const report = reporterFor(budget, options);
  const sources = sourcesFor(thorough.kinds, wanted, seed);
  return new Rounds(world, budget, {
    seed,
    sources,
    created,
    sequences,
    needs,
    requirements,
    report,
  });
}

function needsPart({ needs = [] }: Requirement, part: Part): boolean {
  return needs === 'everything' || needs.includes(part);
}

/**
 * Plans a case of sequences. A requirement judges the requests after it. A valid case is also
 * judged by its own requirements; they judge a rejected one when it is sent elsewhere.
 */
function planInSequence(
  testCase: Case,
  slug: string,
  requirements: readonly Requirement[],
): PlannedCase {
  const isValid = isValidCase(testCase);
  const judging = requirements.filter((requirement) => {
    if (requirement.slug === slug) return true;
    return isValid && requirement.cases?.includes(testCase) === true;
  });
  return { case: testCase, requirements: judging };
}

/** Makes a function that reports an activity with the progress of the exploration. */
function reporterFor(
  budget: Budget,
  { onProgress, budgetMs }: ExplorerOptions,
): (activity: string) => void {
  return (activity) => onProgress?.({ activity, budgetMs, ...budget.usage() });
}

/** Makes the sources of the kinds that wanted requirements judge. */
function sourcesFor(
  kinds: readonly DrawnCases[],
  wanted: readonly Requirement[],
  seed: number,
): Source[] {
  const sources: Source[] = [];
  for (const [index, kind] of kinds.entries()) {
    const { slugs, part } = kind;
    const isNeeded = wanted.some((requirement) => {
      if (requirement.needs === 'everything' || slugs.includes(requirement.slug)) return true;
      return part !== undefined && needsPart(requirement, part);
    });
    if (isNeeded) sources.push(sourceOf(kind, seed + SEED_STEP * (index + 1)));
  }
  return sources;
}

/** Sends rounds until a limit is reached, and pauses once. Returns why it ended. */
async function explore(
  world: World,
  budget: Budget,
  rounds: Rounds,
  options: ExplorerOptions,
): Promise<string> {
  const { path, pauseMs = PAUSE_MS, budgetMs } = options;
  const report = reporterFor(budget, options);
  if (path !== undefined) {
    await rounds.replay(path);
    return 'the path was sent again';
  }
  if (meanDuration(world) < QUICK_MS) world.client.pace.allow(MOST_AT_ONCE);
  for (;;) {
    const ended = whyOver(world, budget, rounds, options);
    if (ended !== undefined) {
      report('reading all users again');
      await rounds.readAll();
      return ended;
    }
    report(`round ${rounds.sent + 1}`);
    await rounds.send();
    const isTimeLeft = budget.usage().usedMs + pauseMs / 2 < budgetMs;
    if (rounds.sent !== ROUNDS_BEFORE_PAUSE || pauseMs === 0 || !isTimeLeft) continue;
    report('a pause');
    await budget.pause(pauseMs);
    await rounds.sendAfterPause();
  }
}

/** Returns the mean response time. Milliseconds. */
function meanDuration({ client }: World): number {
  const sent = client.record.filter(({ attempts }) => attempts > 0);
  const total = sent.reduce((sum, { duration }) => sum + duration, 0);
  return total / Math.max(1, sent.length);
}

/** Returns a clause that says why no further round is sent; undefined if one is. */
function whyOver(
  { history }: World,
  budget: Budget,
  rounds: Rounds,
  { isEnough, maxRounds }: ExplorerOptions,
): string | undefined {
  if (isEnough?.(history)) return 'enough was seen';
  if (rounds.isEmpty) return 'nothing was left to try';
  if (rounds.sent === maxRounds) return 'all rounds were done';
  return budget.whyOver();
}
