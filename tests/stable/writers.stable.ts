import { describe, expect, test } from 'vitest';
import type { Patch } from '../services/service.ts';
import { pagesOfFive } from '../services/writers.ts';
import { judgeConcurrently, RUNS, writing, writingBeside } from './environment.ts';

/** Other writers: the mean pause, and the number of users each time. */
const WRITERS = [
  { pauseMs: 5 },
  { pauseMs: 10 },
  { pauseMs: 20 },
  { pauseMs: 30 },
  { pauseMs: 100 },
  { pauseMs: 50, many: 5 },
  { pauseMs: 200, many: 20 },
];

/** The probabilities that another client creates a user when the service responds. */
const PROBABILITIES = [0.1, 0.05, 0.02, 0.01];

const LISTS: [string, Patch][] = [
  ['a list of all users', () => {}],
  ['a list that pages', pagesOfFive],
];

const doubled: Patch = (service) => {
  service.total = () => service.users.length * 2;
};

/** The total counts users of others, but not those of the run. */
const lost: Patch = (service) => {
  service.total = () =>
    5 + service.users.filter(({ email }) => !email.endsWith('@example.com')).length;
};

describe.concurrent.each(LISTS)('others write all the time, beside %s', (_, list) => {
  test.each([true, false])(
    `conformant, ${RUNS} times of ${RUNS} (even pauses: %s)`,
    async (isEven) => {
      for (let run = 0; run < RUNS; run += 1) {
        const { pauseMs, many = 1 } = WRITERS[run % WRITERS.length] ?? { pauseMs: 10 };
        const [judged] = await judgeConcurrently(1, list, writing(pauseMs, { many, isEven }));
        expect(judged?.verdict, `${pauseMs} ms, ${many} at a time\n${judged?.reasons}`).toBe(
          'conformant',
        );
      }
    },
  );

  test.each([
    ['doubled', doubled],
    ['lost', lost],
  ])('a count that is %s is found', async (_, fault) => {
    for (const probability of PROBABILITIES) {
      const [judged] = await judgeConcurrently(1, list, fault, writingBeside(probability));
      expect(judged?.verdict, String(probability)).toBe('non-conformant');
      expect(judged?.reasons, String(probability)).toMatch(
        /list\.total-counts-creations: exp|list\.total-covers-data: exp/,
      );
    }
  });
});
