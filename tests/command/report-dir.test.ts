import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeEvent } from '../events.ts';
import { start } from '../services/service.ts';
import { COMMAND, FEW, inFolder, reportIn, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

test.concurrent('the second of two runs into a report directory ends at once', async () => {
  const requested = makeEvent();
  const released = makeEvent();
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      requested.trigger();
      await released.happened;
      return handle(request);
    };
  });
  const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
  await inFolder(async (folder) => {
    const first = runNode([COMMAND, ...FEW], env, folder);
    await requested.happened;
    const second = await runCommand(FEW, env, folder);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(
      /^The report directory is in use by another run \(process \d+\): .*\n$/,
    );
    released.trigger();
    expect((await first).code).toBe(0);
    expect(reportIn(folder)?.verdict).toBe('conformant');
    expect(existsSync(join(folder, 'reports/.in-use'))).toBe(false);
  }).finally(service.close);
});

test.concurrent.each(['999999999', '0', '-1', 'x', ''])(
  'a run ignores a claim with the process id "%s", which no process has',
  async (owner) => {
    const service = await start();
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    await inFolder(async (folder) => {
      mkdirSync(join(folder, 'reports'));
      writeFileSync(join(folder, 'reports/.in-use'), owner);
      expect((await runCommand(FEW, env, folder)).code).toBe(0);
    }).finally(service.close);
  },
);
