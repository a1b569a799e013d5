import type { Deadline } from './deadline.ts';

/** A time in which a target was not there; milliseconds of the run. */
export interface Outage {
  /** When it gave its last answer before. */
  since: number;
  until: number;
}

/** The pause before a target that is away is asked again. Milliseconds. */
const PAUSE_MS = 250;

type Where = 'there' | 'back' | 'gone';

/**
 * Finds out whether a target is still there, where a request got no answer: a supervisor may be bringing it back. `ask`
 * sends a plain request on a new connection, and says whether it is answered; `isOver` is whether nothing will answer
 * any more, and `awayMs` how long a target may be away.
 */
export function watchPresence(
  run: { deadline: Deadline; now: () => number; isOver: () => boolean },
  ask: () => Promise<boolean>,
  awayMs: number,
) {
  const { now } = run;
  const outages: Outage[] = [];
  let lastAnswer = 0;
  let asking: Promise<Where> | undefined;
  const find = async (): Promise<Where> => {
    const since = lastAnswer;
    const until = now() + awayMs;
    for (let tries = 1; ; tries += 1) {
      if (await ask()) {
        if (tries === 1) return 'there';
        outages.push({ since, until: now() });
        return 'back';
      }
      // It is asked twice at least: a busy one may answer late.
      if (run.isOver() || (now() >= until && tries >= 2)) return 'gone';
      await run.deadline.pause(PAUSE_MS);
    }
  };
  return {
    outages: outages as readonly Outage[],
    /** Notes an answer of the target's own. */
    noteAnswer: () => {
      lastAnswer = now();
    },
    /** Resolves when it is known whether the target is there, at once where nobody asks. */
    known: async () => void (await asking),
    /**
     * Tells what became of a target that did not answer a request: it is there; it was away, and is back; or it is
     * gone. One asks for all, and nobody where the target only kept silent on a request, and has answered others since
     * `silentSince`. Throws Ended.
     */
    whereIs: async (silentSince: number | undefined): Promise<Where> => {
      if (silentSince !== undefined && lastAnswer > silentSince) return 'there';
      asking ??= find().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}
