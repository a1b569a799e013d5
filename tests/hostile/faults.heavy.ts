import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { FAULTS, MOMENTS, random } from '../services/faults.ts';
import { judgeLost } from '../system/lost.ts';

/** The distance between the requests that are lost, one in each run; 1 loses each of them. */
const STEP = Number(process.env.STEP ?? 1);

/** The number of runs with random faults, for each kind. */
const RUNS = Number(process.env.RUNS ?? 20);

const limit = pLimit(Number(process.env.AT_ONCE ?? 3));
const kinds = FAULTS.flatMap((fault) => MOMENTS.map((moment) => ({ fault, moment })));

describe.each(kinds)('$fault, $moment the request is carried out', ({ fault, moment }) => {
  const judgeAt = async (what: string, isDue: (request: number) => boolean) => {
    const { verdict, failed, open, twice } = await judgeLost(fault, moment, isDue);
    const line = `${fault} ${moment} ${what}: ${[verdict, ...failed, ...open.slice(0, 3), ...twice].join(', ')}`;
    if (verdict !== 'conformant' || twice.length > 0) process.stdout.write(`${line}\n`);
    return { verdict, wrong: verdict === 'non-conformant' || twice.length > 0 ? [line] : [] };
  };
  const judgeMany = async (
    name: string,
    plans: { what: string; isDue: (request: number) => boolean }[],
  ) => {
    const runs = await Promise.all(
      plans.map(({ what, isDue }) => limit(() => judgeAt(what, isDue))),
    );
    const conformant = runs.filter(({ verdict }) => verdict === 'conformant').length;
    process.stdout.write(
      `${fault} ${moment}: ${name}: ${conformant} of ${runs.length} conformant\n`,
    );
    expect(runs.flatMap(({ wrong }) => wrong)).toEqual([]);
  };

  test('one request', { timeout: 3_600_000 }, async () => {
    const { requests } = await judgeLost(fault, moment, () => false);
    const places = Array.from(
      { length: Math.ceil(requests / STEP) },
      (_, index) => 1 + index * STEP,
    );
    const plans = places.map((place) => ({
      what: `at ${place}`,
      isDue: (request: number) => request === place,
    }));
    await judgeMany('one request', plans);
  });

  test('one of twenty', { timeout: 3_600_000 }, async () => {
    const seeds = Array.from({ length: RUNS }, (_, index) => index + 1);
    await judgeMany(
      'one of twenty',
      seeds.map((seed) => {
        const draw = random(seed);
        return { what: `seed ${seed}`, isDue: () => draw() < 0.05 };
      }),
    );
  });
});
