import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nameOf, withNames } from './names.ts';
import { settingRows } from './table.ts';

const SOURCES = join(import.meta.dirname, '..');

test('a setting has the name of its caller, otherwise that of its variable', async () => {
  const nameTimeout = () => nameOf('CONFORMANCE_TIMEOUT_MS');
  expect(nameTimeout()).toBe('CONFORMANCE_TIMEOUT_MS');
  const later = () => sleep(0).then(nameTimeout);
  const names = await Promise.all([
    withNames(() => '--timeout', later),
    withNames(() => 'timeoutMs', later),
    later(),
  ]);
  expect(names).toEqual(['--timeout', 'timeoutMs', 'CONFORMANCE_TIMEOUT_MS']);
});

test('messages name only variables of settings', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const named = files.flatMap((path) =>
    [...readFileSync(join(SOURCES, path), 'utf8').matchAll(/\bnameOf\('(\w+)'\)/g)].map(
      ([, variable]) => variable,
    ),
  );
  expect(named).toContain('BASE_URL');
  const variables = settingRows.map(({ variable }) => variable);
  expect(named.filter((name = '') => !variables.includes(name))).toEqual([]);
});
