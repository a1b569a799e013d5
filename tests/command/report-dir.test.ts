import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, reportIn, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const ONE = ['--only', 'create.location'];

test.concurrent('a second run into a report directory ends at once, and the first has it to itself', async () => {
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let go = () => {};
  const mayGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      begun();
      await mayGo;
      return handle(request);
    };
  });
  const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
  await inFolder(async (folder) => {
    const first = runNode([COMMAND, ...ONE], env, folder);
    await hasBegun;
    const second = await runCommand(ONE, env, folder);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(
      /^The report directory is in use by another run \(process \d+\): .*\n$/,
    );
    go();
    expect((await first).code).toBe(0);
    expect(reportIn(folder)?.verdict).toBe('conformant');
    expect(existsSync(join(folder, 'reports/.in-use'))).toBe(false);
  }).finally(service.close);
});

test.concurrent.each(['999999999', '0', '-1', 'x', ''])(
  'a claim of "%s", which no process has, is passed over',
  async (owner) => {
    const service = await start();
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    await inFolder(async (folder) => {
      mkdirSync(join(folder, 'reports'));
      writeFileSync(join(folder, 'reports/.in-use'), owner);
      expect((await runCommand(ONE, env, folder)).code).toBe(0);
    }).finally(service.close);
  },
);
