/** A time in which a target was not there; milliseconds of the run. */
export interface Outage {
  /** When it gave its last answer before. */
  since: number;
  until: number;
}

/** The pause before a target that is away is asked again. Milliseconds. */
const PAUSE_MS = 250;

/** How often it is asked at least: a busy one may answer late. */
const LEAST_TRIES = 2;

/** What it needs of a run. */
interface Run {
  deadline: { pause: (milliseconds: number) => Promise<void> };
  now: () => number;
  /** Whether it is known that nothing will answer any more. */
  isOver: () => boolean;
}

/** Finds out whether a target is still there, where a request got no answer: a supervisor may be bringing it back. */
export class Presence {
  readonly outages: Outage[] = [];
  readonly #run: Run;
  readonly #ask: () => Promise<boolean>;
  readonly #awayMs: number;
  #asking: Promise<'there' | 'back' | 'gone'> | undefined;
  #lastAnswer = 0;

  /** `ask` sends a plain request on a new connection, and says whether it is answered; `awayMs` is how long a target may be away. */
  constructor(run: Run, ask: () => Promise<boolean>, awayMs: number) {
    this.#run = run;
    this.#ask = ask;
    this.#awayMs = awayMs;
  }

  /** Notes an answer of the target's own. */
  noteAnswer(): void {
    this.#lastAnswer = this.#run.now();
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
    this.#asking ??= this.#find().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #find(): Promise<'there' | 'back' | 'gone'> {
    const { deadline, now } = this.#run;
    const since = this.#lastAnswer;
    const until = now() + this.#awayMs;
    for (let tries = 1; ; tries += 1) {
      if (await this.#ask()) {
        if (tries === 1) return 'there';
        this.outages.push({ since, until: now() });
        return 'back';
      }
      if (this.#run.isOver() || (now() >= until && tries >= LEAST_TRIES)) return 'gone';
      await deadline.pause(PAUSE_MS);
    }
  }
}
