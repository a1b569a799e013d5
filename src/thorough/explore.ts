import type { History } from '../history/history.ts';
import type { World } from '../run/world.ts';
import { type Bounds, Budget } from './budget.ts';
import { type Coverage, depthOf } from './coverage.ts';
import { type RoundOptions, Rounds } from './rounds.ts';

export interface ExplorerOptions extends Bounds, RoundOptions {
  /** Whether the history is enough, so that no further round is sent. */
  isEnough?: (history: History) => boolean;
  /** Rounds at most. Absent: as many as the limits allow. */
  maxRounds?: number;
  /** The length of the one pause. Milliseconds. Absent: 10.5 s. */
  pauseMs?: number;
}

/** Explores a service beyond the default run. */
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
/** Many users exist by then, and the limits allow more after the pause. */
const ROUNDS_BEFORE_PAUSE = 3;

/** Makes an explorer. The same seed sends the same requests, apart from the tag of the run. */
export function makeExplorer(options: ExplorerOptions): Explorer {
  const { seed, budgetMs, maxRequests, maxUsers } = options;
  let coverage: (() => Coverage) | undefined;
  return {
    explore: async (world) => {
      const budget = new Budget(world, options);
      const rounds = new Rounds(world, budget, options);
      let ended = 'the run ended';
      coverage = () => ({
        seed,
        bounds: {
          seconds: Math.round(budgetMs / 1000),
          requests: maxRequests,
          users: maxUsers,
        },
        ended,
        rounds: rounds.sent,
        ...depthOf(world.history),
        kinds: rounds.sender.counts(),
      });
      if (meanDuration(world) < QUICK_MS) world.client.pace.allow(MOST_AT_ONCE);
      ended = await sendRounds(world, budget, rounds, options);
      budget.report('reading all users again');
      await rounds.read(world.ledger.identified);
    },
    coverage: () => coverage?.(),
  };
}

/** Sends rounds until a limit is reached, and pauses once. Returns why it ended. */
async function sendRounds(
  { history }: World,
  budget: Budget,
  rounds: Rounds,
  { pauseMs = PAUSE_MS, budgetMs, isEnough, maxRounds }: ExplorerOptions,
): Promise<string> {
  for (;;) {
    if (isEnough?.(history)) return 'enough was seen';
    if (rounds.isEmpty) return 'nothing was left to try';
    if (rounds.sent === maxRounds) return 'all rounds were done';
    if (budget.whyOver !== undefined) return budget.whyOver;
    budget.report(`round ${rounds.sent + 1}`);
    await rounds.send();
    const isTimeLeft = budget.usedMs + pauseMs / 2 < budgetMs;
    if (rounds.sent !== ROUNDS_BEFORE_PAUSE || pauseMs === 0 || !isTimeLeft) continue;
    budget.report('a pause');
    await budget.pause(pauseMs);
  }
}

/** Returns the mean response time. Milliseconds. */
function meanDuration({ client }: World): number {
  const sent = client.record.filter(({ attempts }) => attempts > 0);
  const total = sent.reduce((sum, { duration }) => sum + duration, 0);
  return total / Math.max(1, sent.length);
}
