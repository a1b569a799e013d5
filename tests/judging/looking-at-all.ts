import { chapter, rfc, should } from '../../specs/requirement.ts';
import { wholeRun, type Yields } from '../../src/plan/evidence.ts';
import { that } from '../../src/requirement/finding.ts';
import type { Requirement } from '../../src/requirement/requirement.ts';

/** A requirement that takes all that a run has sent, and always passes; `yields` gives that after the run. */
export function lookingAtAll(): { requirements: Requirement[]; yields: () => Yields } {
  let taken: Yields | undefined;
  const requirement = should('example.whole-run', rfc(9110, '1'), {
    sentence: 'It takes all that the run has sent.',
    evidence: { run: wholeRun },
    check: ({ run }) => {
      taken = run;
      return that(true, '', '');
    },
  });
  const yields = () => {
    if (taken === undefined) throw new Error('the run is not over');
    return taken;
  };
  return { requirements: chapter('Example', [requirement]), yields };
}
