import { expect, test } from 'vitest';
import { type JudgeSettings, judge } from '../../src/api/index.ts';
import { type Patch, start } from '../services/service.ts';
import { inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const API_KEY = 'a-key-4711';
const NOWHERE = 'http://127.0.0.1:1/v1';
const FEW = ['--only', 'list.answers'];

/** The last line that the command prints. */
const verdictOf = (args: string[], env: Record<string, string>) =>
  inFolder(async (folder) => {
    const { stdout, stderr } = await runCommand([...FEW, ...args], { API_KEY, ...env }, folder);
    return `${stderr}${stdout}`.trim().split('\n').at(-1) ?? '';
  });

test('an address that is not there is called as the user has given it', async () => {
  expect(await verdictOf(['--base-url', NOWHERE], {})).toContain('is --base-url right?');
  expect(await verdictOf([], { BASE_URL: NOWHERE })).toContain('is BASE_URL right?');
  const { because } = await judge({ baseUrl: NOWHERE, apiKey: API_KEY, only: ['list.answers'] });
  expect(because).toContain('is baseUrl right?');
});

const silent: Patch = (service) => {
  service.handle = () => new Promise(() => {});
};

test('the limit to raise is called as the user has given it, and otherwise by its flag', async () => {
  const { baseUrl, apiKey, close } = await start(silent);
  try {
    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const limit = { CONFORMANCE_TIMEOUT_MS: '100' };
    const settings: JudgeSettings = { baseUrl, apiKey, timeoutMs: 100, only: ['list.answers'] };
    const [typed, set, given] = await Promise.all([
      verdictOf(['--timeout', '100'], { ...env, CONFORMANCE_TIMEOUT_MS: '200' }),
      verdictOf([], { ...env, ...limit }),
      judge(settings),
    ]);
    expect(typed).toContain('or raise --timeout if it needs longer');
    expect(set).toContain('or raise CONFORMANCE_TIMEOUT_MS if it needs longer');
    expect(given.because).toContain('or raise timeoutMs if it needs longer');
    const late = await verdictOf(['--deadline', '1'], env);
    expect(late).toContain('The deadline passed: raise --deadline to ');
    const deadline = { ...env, CONFORMANCE_DEADLINE_MS: '1' };
    expect(await verdictOf([], deadline)).toContain('raise CONFORMANCE_DEADLINE_MS to ');
  } finally {
    await close();
  }
});

test('a program is told its own properties, also of two settings together', async () => {
  const usual = { baseUrl: NOWHERE, apiKey: API_KEY };
  const leavingNone = judge({ ...usual, only: ['list.*'], skip: ['list.*'] });
  await expect(leavingNone).rejects.toThrow('only and skip leave no requirement to judge.');
  const misspelt = judge({ ...usual, only: ['list.total'] });
  await expect(misspelt).rejects.toThrow('did you mean list.total-integer?');
  const halfTls = judge({ ...usual, clientKey: 'none.pem' });
  await expect(halfTls).rejects.toThrow('clientCert and clientKey go together');
});
