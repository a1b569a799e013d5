import { expect, test } from 'vitest';
import { judgeByCommand } from './judge-by-command.ts';

test.concurrent.each(['DEBUG', 'NODE_DEBUG'])('%s=* prints no key', async (variable) => {
  const { code, stdout, stderr, apiKey } = await judgeByCommand(() => {}, { [variable]: '*' });
  expect(code).toBe(0);
  expect(stdout.length + stderr.length).toBeGreaterThan(5000);
  for (const form of [apiKey, encodeURIComponent(apiKey)]) expect(`${stdout}${stderr}`.includes(form)).toBe(false);
});
