import { describe, expect, test } from 'vitest';
import type { StoredUser } from '../../src/reports/created-users.ts';
import type { Patch, User } from '../services/service.ts';
import { contentOf } from '../shell.ts';
import { judgeHere } from './judge-here.ts';

/** Judges a service; returns the users of created-users.json and those that the service has. */
async function usersOf(patch: Patch) {
  const stored: User[] = [];
  const recordStored: Patch = (service) => {
    patch(service);
    const { record } = service;
    service.record = (user) => {
      if (!stored.some(({ id }) => id === user.id)) stored.push({ ...user });
      return record(user);
    };
  };
  const { files, report, apiKey } = await judgeHere(recordStored, { only: ['create.*'] });
  const content = contentOf(files, 'created-users.json');
  expect(content).not.toContain(apiKey);
  // A run that created no users writes no such file.
  const users: StoredUser[] = content === '' ? [] : JSON.parse(content);
  return { report, stored, users };
}

describe.concurrent('created-users.json', () => {
  test('lists each created user as stored, and the source of its identifier', async () => {
    const { users, stored, report } = await usersOf(() => {});
    const created = users.filter(({ mayExist }) => !mayExist);
    expect(created).toHaveLength(report.users.created);
    for (const { email, name, identifier, foundIn } of created) {
      const user = stored.find(({ id }) => `${id}` === identifier);
      expect(user).toMatchObject({ email, name });
      expect(foundIn).toMatch(/^(create response: |Location$)/);
    }
  });

  test('has the stored name where the service changes the name that was sent', async () => {
    const { users } = await usersOf((service) => {
      const { record } = service;
      service.record = (user) => record({ ...user, name: user.name.toUpperCase() });
    });
    const created = users.filter(({ mayExist }) => !mayExist);
    const names = created.map(({ name }) => name).filter((name) => name !== undefined);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => name !== name.toUpperCase())).toEqual([]);
  });

  test('lists no user if every request gets a web page', async () => {
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
