import type { History } from '../history/history.ts';
import { type Case, isValidCase } from '../requirement/case.ts';
import type { Part, Requirement } from '../requirement/requirement.ts';
import type { PlannedCase } from '../run/runner.ts';
import type { World } from '../run/world.ts';
import { Budget, type Used } from './budget.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type DrawnCases, sourceOf } from './drawn-cases.ts';
import { Rounds } from './rounds.ts';
import { sequenceKinds } from './sequences.ts';

/** What a thorough run draws. */
export interface Thorough {
  kinds: readonly DrawnCases[];
  /**
   * Cases that stand in sequences, cases that are repeated many times in a row, and the requirement
   * on the valid requests after them.
   */
  sequences: {
    slug: string;
    cases: readonly Case[];
    rows: readonly Case[];
    /** The requirements on a user who is created in a sequence. */
    created: readonly string[];
  };
}

/** How far an exploration is, and what it does. */
export interface Progress extends Used {
  what: string;
  budgetMs: number;
}

export interface ExplorerOptions {
  /** All cases follow from it. */
  seed: number;
  budgetMs: number;
  maxRequests: number;
  maxUsers: number;
  requirements: readonly Requirement[];
  isWanted: (slug: string) => boolean;
  thorough: Thorough;
  /** Sends only what fails by this path, which a run has reported. */
  path?: string;
  /** Whether what was seen is enough: then no further round is sent. */
  isEnough?: (history: History) => boolean;
  /** Rounds at most; absent: as many as the bounds allow. */
  maxRounds?: number;
  /** How long nothing is sent, once. Milliseconds; absent: 10.5 s. */
  pauseMs?: number;
  onProgress?: (progress: Progress) => void;
}

/** Explores a service beyond the default run, and tells how deep. */
export interface Explorer {
  explore: (world: World) => Promise<void>;
  /** Undefined if the run ended before the exploration. */
  coverage: () => Coverage | undefined;
}

/** Requests in flight at the same time: more than the pools of most services hold. */
const MOST_AT_ONCE = 96;
/** A service that takes longer for a response than this gets fewer requests at the same time. */
const QUICK_MS = 250;
/** Gunicorn, nginx and Node close idle connections after 2 to 10 s. */
const PAUSE_MS = 10_500;
/** Most users are there by then, and there is room for some who are created after the pause. */
const ROUNDS_BEFORE_PAUSE = 3;
/** Seeds of two kinds in a row are this far from each other. */
const SEEDS = 1000;

/** Makes an explorer. The same seed sends the same requests, apart from the tag of the run. */
export function makeExplorer(options: ExplorerOptions): Explorer {
  let coverage: (() => Coverage) | undefined;
  return {
    explore: async (world) => {
      const budget = new Budget(world, options);
      const rounds = roundsFor(world, budget, options);
      let ended = 'the run ended';
      coverage = () => {
        const { seed, budgetMs, maxRequests, maxUsers } = options;
        const seconds = Math.round(budgetMs / 1000);
        return coverageOf(world.history, {
          seed,
          bounds: { seconds, requests: maxRequests, users: maxUsers },
          ended,
          rounds: rounds.sent,
          kinds: rounds.sender.kinds,
          judged: rounds.sender.judged,
        });
      };
      ended = await explore(world, budget, rounds, options);
    },
    coverage: () => coverage?.(),
  };
}

/**
 * Sends rounds until the bounds are reached; after some of them nothing for a while. Returns why it
 * ended.
 */
async function explore(
  world: World,
  budget: Budget,
  rounds: Rounds,
  { path, isEnough, maxRounds, pauseMs = PAUSE_MS, budgetMs, onProgress }: ExplorerOptions,
): Promise<string> {
  const tell = (what: string) => onProgress?.({ what, budgetMs, ...budget.used() });
  if (path !== undefined) {
    await rounds.replay(path);
    return 'the path was sent again';
  }
  if (meanDuration(world) < QUICK_MS) world.client.pace.allow(MOST_AT_ONCE);
  for (;;) {
    const ended = whyOver();
    if (ended !== undefined) {
      tell('reading all users again');
      await rounds.lookAtAll();
      return ended;
    }
    tell(`round ${rounds.sent + 1}`);
    await rounds.send();
    const isTime = budget.used().usedMs + pauseMs / 2 < budgetMs;
    if (rounds.sent !== ROUNDS_BEFORE_PAUSE || pauseMs === 0 || !isTime) continue;
    tell('a pause');
    await budget.pause(pauseMs);
    await rounds.sendAfterPause();
  }

  function whyOver(): string | undefined {
    if (isEnough?.(world.history)) return 'enough was seen';
    if (rounds.isEmpty) return 'nothing was left to try';
    if (rounds.sent === maxRounds) return 'all rounds were done';
    return budget.whyOver();
  }
}

/** Makes rounds of what the wanted requirements need. */
function roundsFor(world: World, budget: Budget, options: ExplorerOptions): Rounds {
  const { requirements, isWanted, thorough, seed, onProgress, budgetMs } = options;
  const wanted = requirements.filter(({ slug }) => isWanted(slug));
  const needs = (part: Part) =>
    wanted.some((one) => one.needs === 'everything' || one.needs?.includes(part) === true);
  const isNeeded = ({ slugs, part }: DrawnCases) =>
    (part !== undefined && needs(part)) ||
    wanted.some((one) => one.needs === 'everything' || slugs.includes(one.slug));
  const sources = thorough.kinds
    .map((kind, at) => ({ kind, own: seed + SEEDS * (at + 1) }))
    .filter(({ kind }) => isNeeded(kind))
    .map(({ kind, own }) => sourceOf(kind, own));
  const { slug, cases, rows } = thorough.sequences;
  const areSequencesNeeded =
    cases.length > 0 && (needs('users') || wanted.some((one) => one.slug === slug));
  const plan = (one: Case) => planInSequence(one, slug, requirements);
  return new Rounds(world, budget, {
    seed,
    sources,
    created: thorough.sequences.created,
    sequences: areSequencesNeeded ? sequenceKinds(cases.map(plan), rows.map(plan)) : [],
    needs,
    requirements,
    tell: (what) => onProgress?.({ what, budgetMs, ...budget.used() }),
  });
}

/**
 * Plans a case of sequences. A requirement judges the requests after it; a rejected one is judged
 * by its own requirements when it is sent elsewhere.
 */
function planInSequence(
  one: Case,
  slug: string,
  requirements: readonly Requirement[],
): PlannedCase {
  const isOwn = ({ cases = [] }: Requirement) => isValidCase(one) && cases.includes(one);
  const judging = requirements.filter((other) => other.slug === slug || isOwn(other));
  return { case: one, requirements: judging };
}

/** How long a response takes on average. Milliseconds. */
function meanDuration({ client }: World): number {
  const sent = client.record.filter(({ attempts }) => attempts > 0);
  return sent.reduce((sum, { duration }) => sum + duration, 0) / Math.max(1, sent.length);
}
