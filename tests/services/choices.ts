import { requirements } from '../../specs/index.ts';
import { type Turning, taken } from '../../src/plan/step.ts';

interface Named {
  what: string;
}

/** The choices of a run by which a case takes a variation. */
export function choicesBy(one: Turning<Named>, what: string): string {
  for (let tried = 0; tried < 100_000; tried += 1) {
    if ((taken(one, `${tried}`) as Named).what === what) return `${tried}`;
  }
  throw new Error(`no choices lead to ${what}`);
}

/** The choices by which a run sends a variation, whichever case it is of. */
export function choicesOf(what: string): string {
  const all = requirements.flatMap(({ evidence }) => Object.values(evidence).flatMap(({ cases }) => cases));
  const turning = all
    .map(([, one]) => one as Turning<Named> | undefined)
    .find((one) => one?.turns?.some((turn) => turn.what === what));
  if (turning === undefined) throw new Error(`no case has the variation ${what}`);
  return choicesBy(turning, what);
}
