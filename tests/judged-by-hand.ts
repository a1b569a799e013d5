import { expect, test } from 'vitest';
import { requirements } from '../specs/index.ts';
import type { Evidence } from '../src/plan/evidence.ts';
import { type Outcome, outcomeOf } from '../src/requirement/outcome.ts';
import { whole } from './made-evidence.ts';

type Given = Record<string, unknown>;

/**
 * Judges a requirement by evidence that is made by hand. What is not given is a run that has shown nothing, and no
 * cases.
 */
export function judged(slug: string, given: Given, from = requirements): Pick<Outcome, 'outcome' | 'reason'> {
  const requirement = from.find((one) => one.slug === slug);
  if (requirement === undefined) throw new Error(`no requirement is called ${slug}`);
  const { evidence, check } = requirement;
  const unknown = Object.keys(given).find((name) => !(name in evidence));
  if (unknown !== undefined) throw new Error(`${slug} has no evidence called ${unknown}`);
  const parts = Object.entries(evidence).map(([name, part]) => [
    name,
    name in given ? given[name] : nothing(name, part),
  ]);
  return outcomeOf(slug, [check(Object.fromEntries(parts) as never)].flat(), (text) => text);
}

function nothing(name: string, part: Evidence<unknown>): unknown {
  if (part.whole) return whole();
  if (part.cases.some(([, one]) => one !== undefined) || 'with' in part) return [];
  throw new Error(`${name} must be given`);
}

/** The requirements that are tested so. */
const tested = new Set<string>();

/** Two tests of a requirement: by this evidence it holds, and by that it does not, because of this. */
export function bothWays(slug: string, holds: Given, fails: Given, reason: string, from = requirements): void {
  tested.add(slug);
  test(`${slug} holds`, () => {
    expect(judged(slug, holds, from)).toMatchObject({ outcome: 'passed' });
  });

  test(`${slug} fails`, () => {
    expect(judged(slug, fails, from)).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(reason) });
  });
}

/** A test that no requirement whose slug begins so lacks these two. */
export function allHaveBoth(...prefixes: string[]): void {
  test.each(prefixes)('each requirement %s.… has a test by which it holds, and one by which it fails', (prefix) => {
    const slugs = requirements.map(({ slug }) => slug).filter((slug) => slug.startsWith(`${prefix}.`));
    expect(slugs.filter((slug) => !tested.has(slug))).toEqual([]);
  });
}
