import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { judgeAll } from '../run.ts';
import type { Patch } from '../services/service.ts';
import { start, withPeople } from '../services/service.ts';

/** How many environments are tried; STABLE_ENVIRONMENTS sets another number. */
export const RUNS = Number(process.env.STABLE_ENVIRONMENTS ?? 50);

/** Another client creates so many users each time, after pauses of this mean length: even, or random. */
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
          service.users.push({
            id: `other-${made}`,
            email: `other.${made}@example.org`,
            name: `Other ${made}`,
          });
        }
        if (!isOver) again();
      };
      again();
      return () => {
        isOver = true;
      };
    };
  };

/** The verdict of a run, and the reasons of what failed or was not verified. */
export interface Judged {
  verdict: Verdict;
  reasons: string;
}

/** Judges a service in several runs at the same time, with the default settings but for the settle time. */
export async function judgedAtOnce(runs: number, ...patches: Patch[]): Promise<Judged[]> {
  const service = await start(withPeople, ...patches);
  const bounds = { settleMs: 500, deadlineMs: 300_000 };
  const all = await Promise.all(
    Array.from({ length: runs }, () => judgeAll(service, bounds)),
  ).finally(service.close);
  return all.map((run) => ({
    verdict: decide(run.outcomes, { strict: false, knownFailures: [] }).verdict,
    reasons: [...run.reasons('failed', 'MUST'), ...run.reasons('not-verified', 'MUST')].join('\n'),
  }));
}
