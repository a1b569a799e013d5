import { expect, test } from 'vitest';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import type { Patch } from '../services/service.ts';
import { agesOf } from '../services/variants/variant.ts';

const foldsEmails: Patch = (service) => {
  const { store } = service;
  service.store = (user) => store(Object.assign(user, { email: user.email.toLowerCase() }));
};

const showsLate: Patch = (service) => {
  const ageOf = agesOf(service);
  const { find } = service;
  service.find = (id) => {
    const user = find(id);
    return user && ageOf(user) > 120 ? user : undefined;
  };
};

const ignoresZeros: Patch = (service) => {
  let next = 100;
  service.newId = () => next++;
  service.find = (id) => service.users.find((user) => `${user.id}` === id.replace(/^0+/, ''));
};

const inPages: Patch = (service) => {
  service.listed = () => service.users.slice(0, 20);
};

test.concurrent.for<[choice: string, patch: Patch, name: string, value: RegExp]>([
  ['emails in lower case', foldsEmails, 'emails', /^folded to lower case$/],
  ['users that appear later', showsLate, 'users', /^retrievable after \d+00 ms$/],
  ['leading zeros', ignoresZeros, 'unknown identifiers', /^leading zeros are ignored$/],
  ['pages of twenty', inPages, 'list', /^pages of 20$/],
])('%s are observed, and free', async ([, patch, name, value]) => {
  const service = await startHere(patch);
  const run = await judgeKept(service, { settleMs: 10_000 }).finally(service.close);
  expect(run.slugs('failed', 'MUST')).toEqual([]);
  expect(run.tally.observations[name]?.join()).toMatch(value);
});

test('an empty 200 for unknown identifiers does not show that leading zeros are ignored', async () => {
  const service = await startHere((patched) => {
    let next = 100;
    patched.newId = () => next++;
    const { retrieve } = patched;
    patched.retrieve = async (...args) => {
      const reply = await retrieve(...args);
      return reply.status === 404 ? { status: 200, body: {} } : reply;
    };
  });
  const run = await judgeKept(service).finally(service.close);
  expect(run.slugs('failed', 'MUST')).toEqual([]);
  expect(run.tally.observations['unknown identifiers']).toBeUndefined();
});
