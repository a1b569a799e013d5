import { expect, test } from 'vitest';
import { judge } from '../../src/api/index.ts';
import { start } from '../services/service.ts';
import { inFolder, lastLineOf } from '../shell.ts';
import { runCommand } from './kept-command.ts';

// golden/exit-codes.txt has the names of addresses and deadlines.

/** An address where no service listens. */
const target = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'a-key-4711' };

test('the reason names the timeout as the user set it', async () => {
  const { baseUrl, apiKey, close } = await start((service) => {
    service.handle = () => new Promise(() => {});
  });
  const env = { BASE_URL: baseUrl, API_KEY: apiKey, CONFORMANCE_TIMEOUT_MS: '100' };
  const verdictOf = (...args: string[]) =>
    inFolder(async (folder) => {
      const { stdout } = await runCommand(['--only', 'list.answers', ...args], env, folder);
      return lastLineOf(stdout);
    });
  try {
    expect(await verdictOf()).toContain('or raise CONFORMANCE_TIMEOUT_MS if it needs longer');
    // The flag overrides the variable.
    expect(await verdictOf('--timeout', '200')).toContain('or raise --timeout if it needs longer');
    const { because } = await judge({ baseUrl, apiKey, timeoutMs: 100, only: ['list.answers'] });
    expect(because).toContain('or raise timeoutMs if it needs longer');
  } finally {
    await close();
  }
});

test('judge() names its properties', async () => {
  const { because } = await judge({ ...target, only: ['list.answers'] });
  expect(because).toContain('is baseUrl right?');
  const empty = judge({ ...target, only: ['list.*'], skip: ['list.*'] });
  await expect(empty).rejects.toThrow('only and skip leave no requirement to judge.');
  const misspelt = judge({ ...target, only: ['list.total'] });
  await expect(misspelt).rejects.toThrow('did you mean list.total-integer?');
  const withoutCertificate = judge({ ...target, clientKey: 'none.pem' });
  await expect(withoutCertificate).rejects.toThrow('clientCert and clientKey go together');
});
