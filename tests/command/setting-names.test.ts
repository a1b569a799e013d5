import { expect, test } from 'vitest';
import { judge } from '../../src/api/index.ts';
import { type Patch, start } from '../services/service.ts';
import { inFolder, lastLineOf } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const API_KEY = 'a-key-4711';

/** An address where no service listens. */
const NOWHERE = 'http://127.0.0.1:1/v1';

/** Runs the command, and returns the last line that it prints. */
const verdictOf = (args: string[], env: Record<string, string>) =>
  inFolder(async (folder) => {
    const few = ['--only', 'list.answers'];
    const { stdout, stderr } = await runCommand([...few, ...args], { API_KEY, ...env }, folder);
    return lastLineOf(`${stderr}${stdout}`);
  });

test('the reason names the setting of a wrong address as the user gave it', async () => {
  expect(await verdictOf(['--base-url', NOWHERE], {})).toContain('is --base-url right?');
  expect(await verdictOf([], { BASE_URL: NOWHERE })).toContain('is BASE_URL right?');
  const { because } = await judge({ baseUrl: NOWHERE, apiKey: API_KEY, only: ['list.answers'] });
  expect(because).toContain('is baseUrl right?');
});

const neverResponds: Patch = (service) => {
  service.handle = () => new Promise(() => {});
};

test('the reason names the timeout as the user set it', async () => {
  const { baseUrl, apiKey, close } = await start(neverResponds);
  const env = { BASE_URL: baseUrl, API_KEY: apiKey };
  try {
    const variable = await verdictOf([], { ...env, CONFORMANCE_TIMEOUT_MS: '100' });
    expect(variable).toContain('or raise CONFORMANCE_TIMEOUT_MS if it needs longer');
    // The flag overrides the variable.
    const flag = ['--timeout', '100'];
    const both = await verdictOf(flag, { ...env, CONFORMANCE_TIMEOUT_MS: '200' });
    expect(both).toContain('or raise --timeout if it needs longer');
    const only = ['list.answers'];
    const { because } = await judge({ baseUrl, apiKey, timeoutMs: 100, only });
    expect(because).toContain('or raise timeoutMs if it needs longer');
  } finally {
    await close();
  }
});

test('the reason names the deadline as the user set it', async () => {
  const { baseUrl, apiKey, close } = await start(neverResponds);
  const env = { BASE_URL: baseUrl, API_KEY: apiKey };
  try {
    const flag = await verdictOf(['--deadline', '1'], env);
    expect(flag).toContain('The deadline passed: raise --deadline to ');
    const variable = await verdictOf([], { ...env, CONFORMANCE_DEADLINE_MS: '1' });
    expect(variable).toContain('raise CONFORMANCE_DEADLINE_MS to ');
  } finally {
    await close();
  }
});

test('errors of judge() name its properties', async () => {
  const target = { baseUrl: NOWHERE, apiKey: API_KEY };
  const empty = judge({ ...target, only: ['list.*'], skip: ['list.*'] });
  await expect(empty).rejects.toThrow('only and skip leave no requirement to judge.');
  const misspelt = judge({ ...target, only: ['list.total'] });
  await expect(misspelt).rejects.toThrow('did you mean list.total-integer?');
  const withoutCertificate = judge({ ...target, clientKey: 'none.pem' });
  await expect(withoutCertificate).rejects.toThrow('clientCert and clientKey go together');
});
