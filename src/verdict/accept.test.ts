import { describe, expect, test } from 'vitest';
import { listed } from '../../tests/listed.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import { accept, decide } from './verdict.ts';

const outcome = (slug: string, name: OutcomeName, changes: Partial<Outcome> = {}): Outcome => ({
  ...{ slug, outcome: name, reason: 'expected a, got b', exchanges: [], lookedAt: [] },
  ...changes,
});

describe('an accepted failure', () => {
  test('is known, of either level, with the reason, the date and the link of its entry', () => {
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

  test('excuses what can not be judged because of it, and nothing else', () => {
    const needing = outcome('c.d', 'not-verified', { needs: 'a.b', reason: 'needs: a.b' });
    expect(accept(needing, [listed('a.b')])).toEqual({
      ...needing,
      excused: true,
      reason: 'needs: a.b, a known failure',
    });
    expect(accept(needing, [listed('c.d')])).toBe(needing);
  });

  test('is a failure again when its date is past', () => {
    const entries = [listed('a.b', { expired: true, expires: '2026-10-31' })];
    const [failed, needing] = [
      outcome('a.b', 'failed'),
      outcome('c.d', 'not-verified', { needs: 'a.b' }),
    ];
    expect(accept(failed, entries)).toBe(failed);
    expect(accept(needing, entries)).toBe(needing);
  });
});
