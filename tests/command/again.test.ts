import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/api/index.ts';
import { freePort } from '../free-port.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const again = (folder: string, ...args: string[]) =>
  runCommand(['again', 'run/run.json.gz', ...args], {}, folder);

/** Judges a broken service into the folder `run`, and closes the service. */
async function judgeBroken(folder: string, name: string, only: string[]) {
  const { baseUrl, apiKey, close } = await start(brokenBy(name));
  const reportDir = join(folder, 'run');
  return judge({ baseUrl, apiKey, reportDir, settleMs: 200, only }).finally(close);
}

describe.concurrent('again', () => {
  test('makes the same report from the file of a run, without the service and the key', () =>
    inFolder(async (folder) => {
      const report = await judgeBroken(folder, 'total is a string', ['list.*']);
      const { code, stdout, stderr } = await again(folder);
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).toContain(`target: ${report.target.name}`);
      expect(stdout).toContain('list.total-integer');
      expect(reportIn(folder)).toEqual(JSON.parse(JSON.stringify(report)));
    }));

  test('has its own known failures, selection and strictness', () =>
    inFolder(async (folder) => {
      await judgeBroken(folder, 'no Location', ['create.*']);
      expect((await again(folder)).code).toBe(0);
      expect((await again(folder, '--strict')).code).toBe(1);
      const known = '- { slug: create.location, reason: the next release will do }\n';
      writeFileSync(join(folder, 'known.yml'), known);
      const accepted = await again(folder, '--strict', '--known-failures', 'known.yml');
      expect(accepted.code, accepted.stdout).toBe(0);
      expect(accepted.stdout).toContain('1 known failure');
      expect((await again(folder, '--strict', '--only', 'create.answers')).code).toBe(0);
      // `again` writes a run, too, and judges it.
      const args = ['again', 'reports/run.json.gz', '--only', 'create.*'];
      const third = await runCommand(args, {}, folder);
      expect(third.code, third.stderr).toBe(0);
    }));

  test('an inconclusive run stays inconclusive', () =>
    inFolder(async (folder) => {
      const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
      await judge({ baseUrl, apiKey: 'a-key-of-some-length', reportDir: join(folder, 'run') });
      const { code, stdout } = await again(folder);
      expect(code).toBe(3);
      expect(stdout).toMatch(/inconclusive\. Connection refused/i);
    }));

  test('unusable arguments end in one sentence', () =>
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
