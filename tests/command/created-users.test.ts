import { describe, expect, test } from 'vitest';
import type { StoredUser } from '../../src/reports/created-users.ts';
import type { Patch } from '../services/service.ts';
import { judgeHere } from './judge-here.ts';

/** Judges a service; returns the users of created-users.json, and those that the service has. */
async function usersOf(patch: Patch) {
  const stored: { id: unknown; email: string; name: string }[] = [];
  const noting: Patch = (service) => {
    patch(service);
    const { record } = service;
    service.record = (user) => {
      if (!stored.some(({ id }) => id === user.id)) stored.push({ ...user });
      return record(user);
    };
  };
  const { files, report, apiKey } = await judgeHere(noting);
  const { content = '[]' } = files.find(({ path }) => path.endsWith('/created-users.json')) ?? {};
  expect(content).not.toContain(apiKey);
  return { report, stored, users: JSON.parse(content) as StoredUser[] };
}

describe.concurrent('created-users.json', () => {
  test('has each user that a 2xx created, as stored, and where its identifier was found', async () => {
    const { users, stored, report } = await usersOf(() => {});
    const created = users.filter(({ mayExist }) => !mayExist);
    expect(created).toHaveLength(report.users.created);
    for (const { email, name, identifier, foundIn } of created) {
      const user = stored.find(({ id }) => `${id}` === identifier);
      expect(user).toMatchObject({ email, name });
      expect(foundIn).toMatch(/^(create response: |Location$)/);
    }
  });

  test('has the name that the service stored in place of the one that was sent', async () => {
    const { users } = await usersOf((service) => {
      const { record } = service;
      service.record = (user) => record({ ...user, name: user.name.toUpperCase() });
    });
    const named = users.flatMap(({ name = '', mayExist }) => (mayExist ? [] : name));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => name !== name.toUpperCase())).toEqual([]);
  });

  test('has nobody where every request gets a web page', async () => {
    const { users, report } = await usersOf((service) => {
      service.handle = async () => ({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><title>Welcome</title>',
      });
    });
    expect(report.verdict).toBe('inconclusive');
    expect(report.users.created).toBe(0);
    expect(users).toEqual([]);
  });
});
