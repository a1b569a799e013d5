import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JudgeSettings, judge } from '../../src/api/index.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const again = (folder: string, ...args: string[]) =>
  runCommand(['again', 'run/run.json.gz', ...args], {}, folder);

/** Makes a run whose service is gone when it is judged again. */
async function runOf(folder: string, name: string, settings: Partial<JudgeSettings> = {}) {
  const { baseUrl, apiKey, close } = await start(brokenBy(name));
  const reportDir = join(folder, 'run');
  return judge({ baseUrl, apiKey, reportDir, settleMs: 200, ...settings }).finally(close);
}

describe.concurrent('again', () => {
  test('judges a run by its file as it was judged, without the service and the key', () =>
    inFolder(async (folder) => {
      const report = await runOf(folder, 'total is a string', { only: ['list.*'] });
      const { code, stdout, stderr } = await again(folder);
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).toContain(`target: ${report.target.name}`);
      expect(stdout).toContain('list.total-integer');
      expect(reportIn(folder)).toEqual(JSON.parse(JSON.stringify(report)));
    }));

  test('has known failures, a selection and a strictness of its own', () =>
    inFolder(async (folder) => {
      await runOf(folder, 'no Location', { only: ['create.*'] });
      expect((await again(folder)).code).toBe(0);
      expect((await again(folder, '--strict')).code).toBe(1);
      const known = '- { slug: create.location, reason: the next release will do }\n';
      writeFileSync(join(folder, 'known.yml'), known);
      const accepted = await again(folder, '--strict', '--known-failures', 'known.yml');
      expect(accepted.code, accepted.stdout).toBe(0);
      expect(accepted.stdout).toContain('1 known failure');
      expect((await again(folder, '--strict', '--only', 'create.answers')).code).toBe(0);
      // What it writes can be judged again.
      const third = await runCommand(
        ['again', 'reports/run.json.gz', '--only', 'create.*'],
        {},
        folder,
      );
      expect(third.code, third.stderr).toBe(0);
    }));

  test('a run without a verdict stays without one', () =>
    inFolder(async (folder) => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      await new Promise((closed) => server.close(closed));
      await judge({ baseUrl, apiKey: 'a-key-of-some-length', reportDir: join(folder, 'run') });
      const { code, stdout } = await again(folder);
      expect(code).toBe(3);
      expect(stdout).toMatch(/inconclusive\. Connection refused/i);
    }));

  test('says in one sentence what it can not do', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'none.gz'), 'x');
      for (const [args, sentence] of [
        [[], /^again takes a run\.json\.gz/],
        [['missing.gz'], /^missing\.gz can't be read \(ENOENT\)$/],
        [['none.gz'], /^none\.gz is not a run\.json\.gz$/],
        [['none.gz', '--thorough'], /^--thorough has no effect with again\./],
      ] as const) {
        const { code, stdout, stderr } = await runCommand(['again', ...args], {}, folder);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr.trim()).toMatch(sentence);
      }
    }));
});
