import { describe, expect, test } from 'vitest';
import type { Patch } from '../services/service.ts';
import { pagesOfFive } from '../services/writers.ts';
import { judgeConcurrently, RUNS, writing } from './environment.ts';

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

/** Other writers next to whom a wrong count can be found, unless the machine is busy. */
const MODERATE: [pauseMs: number, isEven: boolean][] = [
  [5, true],
  [10, true],
  [30, true],
  [50, false],
  [100, false],
];

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
    const verdicts: string[] = [];
    for (const [pauseMs, isEven] of MODERATE) {
      const [judged] = await judgeConcurrently(1, list, fault, writing(pauseMs, { isEven }));
      verdicts.push(`${pauseMs} ms: ${judged?.verdict}`);
      if (judged?.verdict === 'non-conformant') {
        expect(judged.reasons, `${pauseMs} ms`).toMatch(
          /list\.total-counts-creations: exp|list\.total-covers-data: exp/,
        );
      }
    }
    console.log(verdicts.join(', '));
    expect(verdicts.join(', ')).toContain('non-conformant');
  });
});
