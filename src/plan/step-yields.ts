import { type CaseYielding, caseName, Missing, type OrMissing, type Yielding } from './evidence.ts';

const NOT_TAKEN = new Missing('the run ended before it');

/** What steps have yielded, by their names, and what came of their cases. */
export class StepYields {
  readonly #ofSteps = new Map<string, OrMissing<unknown>>();
  /** By the cases themselves: of those that are drawn several may be alike. */
  readonly #ofCases = new Map<string, Map<unknown, OrMissing<unknown>>>();

  of<Y>({ name }: Yielding<Y>): OrMissing<Y> {
    return (this.#ofSteps.get(name) ?? NOT_TAKEN) as OrMissing<Y>;
  }

  ofCase<C, Y>({ name }: CaseYielding<C, Y>, one: C): OrMissing<Y> {
    return (this.#ofCases.get(name)?.get(one) ?? NOT_TAKEN) as OrMissing<Y>;
  }

  /** Whether a case was carried out, or tried. */
  isTaken({ name }: CaseYielding<unknown, unknown>, one: unknown): boolean {
    return this.#ofCases.get(name)?.has(one) === true;
  }

  /** Keeps what a step has yielded. */
  keep<Y>({ name }: Yielding<Y>, found: OrMissing<Y>): void {
    this.#ofSteps.set(name, found);
  }

  /** Keeps what came of a case. */
  keepCase<C, Y>({ name }: CaseYielding<C, Y>, one: C, found: OrMissing<Y>): void {
    this.#ofCases.set(name, (this.#ofCases.get(name) ?? new Map()).set(one, found));
  }

  /** Forgets what came of these cases. */
  forgetCases(cases: ReadonlyMap<CaseYielding<never, unknown>, ReadonlySet<unknown>>): void {
    for (const [{ name }, all] of cases) for (const one of all) this.#ofCases.get(name)?.delete(one);
  }

  /** What the suite itself broke down at, a sentence each. */
  faults(): string[] {
    const cases = [...this.#ofCases.values()].flatMap((all) => [...all.values()]);
    const found = [...this.#ofSteps.values(), ...cases];
    return found.flatMap((one) => (one instanceof Missing && one.isFault ? [one.message] : []));
  }

  /** All of it by names. */
  named() {
    const byName = (all: Map<unknown, OrMissing<unknown>>) =>
      new Map([...all].map(([one, found]) => [caseName(one), found] as const));
    const cases = new Map([...this.#ofCases].map(([step, all]) => [step, byName(all)] as const));
    return { steps: new Map(this.#ofSteps), cases };
  }
}
