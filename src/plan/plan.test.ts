import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { baseUrl, cases, type Evidence, wholeRun, yieldOf } from './evidence.ts';
import { plan, selectSteps } from './plan.ts';
import { type AnyStep, needsOf } from './step.ts';
import { aftermath } from './steps/aftermath.ts';
import { bodies } from './steps/bodies.ts';
import { attempts, controls } from './steps/credentials.ts';
import { firstLook, firstUser, locations } from './steps/first.ts';
import { lastLooks } from './steps/last.ts';
import { listWritten } from './steps/reads.ts';
import { earlyRefusals, freeRequests, lookups } from './steps/refusals.ts';

const all = requirements.flatMap(({ evidence }) => Object.values(evidence));
const evidenceOf = (slug: string) => Object.values(requirements.find((one) => one.slug === slug)?.evidence ?? {});
const select = (...wanted: Evidence<unknown>[]) => selectSteps(wanted, all);
const names = (steps: Iterable<AnyStep>) => [...steps].map(({ name }) => name).sort();

describe('what is selected', () => {
  test('of what needs no request nothing is', () => {
    expect(select(baseUrl).size).toBe(0);
  });

  test('is the step with all that it takes evidence of, and nothing else', () => {
    expect(names(select(yieldOf(firstLook)).keys())).toEqual(['first look']);
    expect(names(select(yieldOf(locations)).keys())).toEqual([
      'first look',
      'first user',
      'first users',
      'locations',
      'second user',
    ]);
  });

  test('of cases are those that are wanted', () => {
    const one = { what: 'another writing' };
    expect(select(cases(listWritten, one)).get(listWritten)).toEqual(new Set([one]));
  });

  test('of bad requests is all of them, because one may change the answer to another', () => {
    const selected = select(cases(freeRequests, { what: 'an address', make: (run) => ({ request: run.listing() }) }));
    for (const step of [lookups, controls, attempts, bodies, aftermath])
      expect(selected.get(step)?.size).toBeGreaterThan(0);
    expect(selected.has(lastLooks)).toBe(false);
  });

  test('is all that may have upset the service before, with every case', () => {
    const selected = select(yieldOf(lastLooks));
    for (const step of [lookups, freeRequests, controls, attempts, bodies]) {
      const known = new Set(all.flatMap((part) => part.cases).flatMap(([of, one]) => (of === step ? [one] : [])));
      expect(selected.get(step), step.name).toEqual(known);
    }
  });

  test('is everything where the whole run is wanted', () => {
    expect(new Set(select(wholeRun).keys())).toEqual(new Set(plan.flat()));
  });

  test.each(requirements)('for $slug alone is what its evidence names, and stands in the plan', ({ slug }) => {
    const selected = select(...evidenceOf(slug));
    for (const part of evidenceOf(slug)) {
      for (const [step, one] of part.cases) expect(selected.get(step as AnyStep)?.has(one)).toBe(true);
    }
    for (const step of selected.keys()) expect(plan.flat()).toContain(step);
  });
});

describe('the plan', () => {
  test('has each step once, with a name of its own, after all that it needs', () => {
    const inOrder = plan.flat();
    expect(new Set(inOrder.map(({ name }) => name)).size).toBe(inOrder.length);
    const lineOf = (step: AnyStep) => plan.findIndex((line) => line.includes(step));
    for (const step of inOrder) {
      for (const need of needsOf(step))
        expect(lineOf(need), `${need.name} before ${step.name}`).toBeLessThan(lineOf(step));
    }
  });

  test('begins with one look, beside a few bad requests, and the first user, alone', () => {
    expect(plan.slice(0, 2)).toEqual([[firstLook, earlyRefusals], [firstUser]]);
  });

  test('has every case of the requirements in a step of its own', () => {
    for (const [step] of all.flatMap((part) => part.cases)) expect(plan.flat()).toContain(step);
  });
});
