import { type CaseYielding, cases, type Evidence, type OrMissing } from '../plan/evidence.ts';

/** A part of the evidence that a thorough run may fill with cases of its own, in the place of the declared ones. */
export interface DrawnPart<C, Y = unknown> extends Evidence<OrMissing<Y>[]> {
  /** The same part with other cases. */
  readonly with: (...all: C[]) => Evidence<OrMissing<Y>[]>;
}

/**
 * Declares a part of the evidence that may be drawn: by the step that carries out its cases, or by what makes evidence of
 * them. The default run carries out the declared ones; where there are none, it sends nothing for this part.
 */
export function drawn<C, Y>(
  by: CaseYielding<C, Y> | ((...all: C[]) => Evidence<OrMissing<Y>[]>),
  ...declared: C[]
): DrawnPart<C, Y> {
  const make = typeof by === 'function' ? by : (...all: C[]) => cases(by, ...all);
  const evidence = make(...declared);
  return { ...evidence, ...(declared.length === 0 && { steps: [] }), with: make };
}
