import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { judgeAll } from '../run.ts';
import { random } from '../services/faults.ts';
import { type Patch, start, withPeople } from '../services/service.ts';
import { otherUser } from '../services/writers.ts';

/** The seed of what is drawn. */
export const SEED = Number(process.env.STABLE_SEED ?? 2026);

/** The number of environments. STABLE_ENVIRONMENTS sets another number. */
export const RUNS = Number(process.env.STABLE_ENVIRONMENTS ?? 50);

/**
 * Another client creates `many` users after each pause, which are even or random with this mean
 * length.
 */
export const writing =
  (pauseMs: number, { many = 1, isEven = false } = {}): Patch =>
  (service) => {
    service.background = () => {
      let made = 0;
      let isOver = false;
      const again = () =>
        setTimeout(write, isEven ? pauseMs : -Math.log(1 - Math.random()) * pauseMs);
      const write = () => {
        for (let left = many; left > 0 && !isOver; left -= 1) {
          made += 1;
          service.users.push(otherUser(made));
        }
        if (!isOver) again();
      };
      again();
      return () => {
        isOver = true;
      };
    };
  };

/**
 * With this probability, another client creates a user when the service responds. It is as fast as
 * the run, however busy the machine is.
 */
export const writingBeside =
  (probability: number): Patch =>
  (service) => {
    const draw = random(SEED);
    const { write } = service;
    let made = 0;
    service.write = (response, reply, request) => {
      if (draw() < probability) {
        made += 1;
        service.users.push(otherUser(made));
      }
      write(response, reply, request);
    };
  };

/** The verdict of a run, and the reasons of requirements that failed or were not verified. */
export interface Judged {
  verdict: Verdict;
  reasons: string;
}

/**
 * Judges a service in several concurrent runs, with default settings except for the settle time.
 */
export async function judgeConcurrently(runs: number, ...patches: Patch[]): Promise<Judged[]> {
  const service = await start(withPeople, ...patches);
  const bounds = { settleMs: 500, deadlineMs: 300_000 };
  const concluded = await Promise.all(
    Array.from({ length: runs }, () => judgeAll(service, bounds)),
  ).finally(service.close);
  return concluded.map((run) => ({
    verdict: decide(run.outcomes, { strict: false, knownFailures: [] }).verdict,
    reasons: [...run.reasons('failed', 'MUST'), ...run.reasons('not-verified', 'MUST')].join('\n'),
  }));
}
