import type { Deadline } from './deadline.ts';

/** A time in which a target did not respond, in milliseconds of the run. */
export interface Outage {
  /** The time of the last response before it. */
  since: number;
  until: number;
}

/** `back`: the target was away, and responds again. */
export type Availability = 'there' | 'back' | 'gone';

/** The parts of a client that the watch needs. */
interface WatchedRun {
  deadline: Deadline;
  /** Returns the milliseconds since the run began. */
  now: () => number;
  /** Whether the target has ended for good. */
  isOver: () => boolean;
}

/** The watch over a target that may stop responding. */
export interface Presence {
  outages: readonly Outage[];
  /** Notes a response of the target itself. */
  noteResponse: () => void;
  /** Waits while the availability of the target is being checked. */
  settle: () => Promise<void>;
  /**
   * Checks the availability of a target after a request without a response. A single check serves
   * all callers. There is none after a timeout if the target has sent other responses since
   * `silentSince`. Throws Ended.
   */
  check: (silentSince: number | undefined) => Promise<Availability>;
}

/** The pause before a target that is away is probed again, in milliseconds. */
const PAUSE_MS = 250;

/**
 * Watches a target, which a supervisor may restart. `probe` sends a plain request on a new
 * connection and returns whether it got a response. `awayMs` is how long a target may be away.
 */
export function watchPresence(
  run: WatchedRun,
  probe: () => Promise<boolean>,
  awayMs: number,
): Presence {
  const { deadline, now } = run;
  const outages: Outage[] = [];
  let lastResponseAt = 0;
  let pending: Promise<Availability> | undefined;

  async function probeUntilBack(): Promise<Availability> {
    const since = lastResponseAt;
    const until = now() + awayMs;
    if (await probe()) return 'there';
    // Probe twice at least: a busy target may respond late.
    let probes = 1;
    while (!run.isOver() && (now() < until || probes < 2)) {
      await deadline.pause(PAUSE_MS);
      probes += 1;
      if (await probe()) {
        outages.push({ since, until: now() });
        return 'back';
      }
    }
    return 'gone';
  }

  async function check(silentSince: number | undefined): Promise<Availability> {
    if (silentSince !== undefined && lastResponseAt > silentSince) return 'there';
    pending ??= probeUntilBack().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return {
    outages,
    noteResponse: () => {
      lastResponseAt = now();
    },
    settle: async () => {
      await pending;
    },
    check,
  };
}
