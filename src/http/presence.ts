/** A time in which a target was not there; milliseconds of the run. */
export interface Outage {
  /** When it gave its last answer before. */
  since: number;
  until: number;
}

/** The first pause before a target that is away is asked again, and the longest. Milliseconds. */
const PAUSES_MS = { first: 50, longest: 500 };

/** How often it is asked at least: a busy one may answer late. */
const LEAST_TRIES = 2;

/** What is used to find out. */
interface Means {
  /** Sends a plain request on a new connection; whether it is answered. */
  ask: () => Promise<boolean>;
  pause: (milliseconds: number) => Promise<void>;
  now: () => number;
  /** Whether it is known that nothing will answer any more. */
  isOver: () => boolean;
  /** How long a target may be away. Milliseconds. */
  awayMs: number;
}

/** Finds out whether a target is still there, where a request got no answer: a supervisor may be bringing it back. */
export class Presence {
  readonly outages: Outage[] = [];
  readonly #means: Means;
  #asking: Promise<'there' | 'back' | 'gone'> | undefined;
  #lastAnswer = 0;

  constructor(means: Means) {
    this.#means = means;
  }

  /** Notes an answer of the target's own. */
  answered(): void {
    this.#lastAnswer = this.#means.now();
  }

  /** Resolves when it is known whether the target is there, at once where nobody asks. */
  async known(): Promise<void> {
    await this.#asking;
  }

  /**
   * Tells what became of a target that did not answer a request: it is there; it was away, and is back; or it is gone. One asks
   * for all, and nobody where the target only kept silent on a request, and has answered others since `silentSince`. Throws Ended.
   */
  whereIs(silentSince: number | undefined): Promise<'there' | 'back' | 'gone'> {
    if (silentSince !== undefined && this.#lastAnswer > silentSince) return Promise.resolve('there');
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<'there' | 'back' | 'gone'> {
    const { ask, pause, now, isOver, awayMs } = this.#means;
    const since = this.#lastAnswer;
    const until = now() + awayMs;
    for (let wait = PAUSES_MS.first, tries = 1; ; wait = Math.min(2 * wait, PAUSES_MS.longest), tries += 1) {
      if (await ask()) {
        if (tries === 1) return 'there';
        this.outages.push({ since, until: now() });
        return 'back';
      }
      if (isOver() || (now() >= until && tries >= LEAST_TRIES)) return 'gone';
      await pause(wait);
    }
  }
}
