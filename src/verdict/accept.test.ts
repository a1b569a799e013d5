import { describe, expect, test } from 'vitest';
import { listed } from '../../tests/listed.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import { accept } from './accept.ts';
import { decide } from './verdict.ts';

const outcome = (slug: string, name: OutcomeName, changes: Partial<Outcome> = {}): Outcome => ({
  slug,
  outcome: name,
  reason: 'expected a, got b',
  exchanges: [],
  lookedAt: [],
  ...changes,
});

describe('an accepted failure', () => {
  test('is a known failure at either level, with the reason, date and link of its entry', () => {
    const entry = listed('a.b', { expires: '2026-12-31', link: 'https://t.example/1' });
    expect(accept(outcome('a.b', 'failed'), [entry])).toMatchObject({
      outcome: 'known-failure',
      reason: 'why, until 2026-12-31 (expected a, got b)',
      link: 'https://t.example/1',
    });
    const judged = (['MUST', 'SHOULD'] as const).map((level) => ({
      slug: 'a.b',
      level,
      outcome: 'known-failure' as const,
    }));
    expect(decide(judged, { strict: true, knownFailures: [entry] }).verdict).toBe('conformant');
  });

  test('excuses only the requirements that depend on it', () => {
    const dependent = outcome('c.d', 'not-verified', { needs: 'a.b', reason: 'needs: a.b' });
    expect(accept(dependent, [listed('a.b')])).toEqual({
      ...dependent,
      excused: true,
      reason: 'needs: a.b, a known failure',
    });
    expect(accept(dependent, [listed('c.d')])).toBe(dependent);
  });

  test('is a failure again when its date is past', () => {
    const entries = [listed('a.b', { expired: true, expires: '2026-10-31' })];
    const failed = outcome('a.b', 'failed');
    const dependent = outcome('c.d', 'not-verified', { needs: 'a.b' });
    expect(accept(failed, entries)).toBe(failed);
    expect(accept(dependent, entries)).toBe(dependent);
  });
});
