import { describe, expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { type JudgedRun, judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { brokenBy, variantBy } from '../services/named.ts';
import { type Patch, withPeople } from '../services/service.ts';

async function judged(patches: Patch[], settings = {}): Promise<JudgedRun> {
  const service = await startHere(...patches);
  return judgeKept(service, settings).finally(service.close);
}

const reasonOf = ({ outcomes }: JudgedRun, slug: string) => {
  const { outcome, reason } = outcomes.find((candidate) => candidate.slug === slug) ?? {};
  return `${outcome}: ${reason}`;
};

describe.concurrent('by reading alone', () => {
  test('a service without users is conformant, and everything else says why it is left out', async () => {
    const run = await judged([], { readOnly: true });
    expect(run.reasons('not-verified')).toEqual([]);
    expect(run.reasons('failed')).toEqual([]);
    expect(decide(run.outcomes, { strict: true, knownFailures: [] }).verdict).toBe('conformant');
    const reasons = new Set(
      run.reasons('not-applicable').map((line) => line.replace(/^[^:]+: /, '')),
    );
    expect([...reasons].filter((reason) => !reason.startsWith('read-only')).sort()).toEqual([
      'the list shows no user from before the run',
    ]);
  });

  test('a list that shows no identifiers leaves it open whether there are any', async () => {
    const hidden: Patch = (service) => {
      service.item = ({ email, name }) => ({ email, name });
    };
    const run = await judged([withPeople, hidden], { readOnly: true });
    expect(run.reasons('failed')).toEqual([]);
    expect(reasonOf(run, 'retrieve.created-user')).toMatch(/^not-applicable: read-only, /);
    expect(decide(run.outcomes, { strict: false, knownFailures: [] }).verdict).toBe('conformant');
  });
});

describe.concurrent('a reason says why', () => {
  test.for<[string, Patch[], string, RegExp]>([
    [
      'there is no user from before the run',
      [],
      'retrieve.existing-users',
      /^not-applicable: the list shows no user from before the run$/,
    ],
    [
      'the list shows no identifiers',
      [
        withPeople,
        (service) => {
          service.item = ({ email, name }) => ({ email, name });
        },
      ],
      'retrieve.existing-users',
      /^not-applicable: the list shows no identifier of the users from before the run$/,
    ],
    [
      'no user can be created',
      [brokenBy('creating is 500')],
      'list.total-counts-creations',
      /^not-verified: needs: create\.answers$/,
    ],
    [
      'no user can be retrieved',
      [brokenBy('retrieving is a page in HTML')],
      'list.contains-created',
      /^not-verified: needs: /,
    ],
    [
      'names of ASCII letters alone',
      [variantBy('names of ASCII letters, no + in addresses')],
      'round-trip.letters-beyond-ascii',
      /^not-applicable: the service rejects it \(400\)$/,
    ],
    [
      'other letters are 500',
      [
        (service) => {
          const { create } = service;
          service.create = (request) =>
            /[^ -~]|\\ud/.test(request.body) ? { status: 500 } : create(request);
        },
      ],
      'round-trip.letters-beyond-ascii',
      /^not-applicable: the service fails \(500\)$/,
    ],
  ])('%s', async ([, patches, slug, reason]) => {
    expect(reasonOf(await judged(patches), slug)).toMatch(reason);
  });
});
