import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReportedRequirement } from '../../src/reports/report.ts';
import { madeReport } from '../made-report.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const KEY = 'Reproduce-0815_Key.x';
const NOWHERE = 'http://127.0.0.1:1/v1';
const slug = 'retrieve.pattern';
const reproduction = {
  seen: 3,
  tried: 3,
  topic: 'identifiers that are patterns or queries',
  cases: [{ identifier: '"%%"', before: 0 }],
};
const failed = { outcome: 'failed', reason: 'expected 1, got 2' } as const;

const reproduce = (folder: string, env: Record<string, string>, ...args: string[]) =>
  runCommand(['reproduce', ...args], env, folder);

/** A report with one failure in the report directory. */
function withReport<T>(row: Partial<ReportedRequirement>, job: (folder: string) => Promise<T>): Promise<T> {
  return inFolder((folder) => {
    const report = madeReport([{ slug, ...failed }]);
    const requirements = report.requirements.map((one) => (one.id === slug ? { ...one, ...row } : one));
    mkdirSync(join(folder, 'reports'));
    writeFileSync(join(folder, 'reports/conformance.json'), JSON.stringify({ ...report, requirements }));
    return job(folder);
  });
}

describe.concurrent('reproduce', () => {
  test('a failure of a run fails again with 1, and holds with 0 once it is fixed', async () => {
    const [broken, right] = await Promise.all([start(brokenBy('no Location')), start()]);
    await inFolder(async (folder) => {
      const env = { BASE_URL: broken.baseUrl, API_KEY: broken.apiKey };
      await runCommand(['--only', 'create.location'], env, folder);
      const before = readFileSync(join(folder, 'reports/conformance.json'), 'utf8');
      const again = await reproduce(folder, env, 'create.location');
      expect(again.stdout).toContain('create.location failed in 3 of 3 tries.');
      expect(again.stdout).toMatch(/repeat {4}curl /);
      expect(again.code).toBe(1);
      const fixed = await reproduce(folder, { API_KEY: right.apiKey }, 'create.location', '--base-url', right.baseUrl);
      expect(fixed.stdout).toMatch(/create\.location holds: it failed in 0 of \d+ tries\.\n$/);
      expect(fixed.code).toBe(0);
      expect(readFileSync(join(folder, 'reports/conformance.json'), 'utf8')).toBe(before);
      expect(`${again.stdout}${again.stderr}${fixed.stdout}`).not.toContain(broken.apiKey);
    });
    await Promise.all([broken.close(), right.close()]);
  });

  test('cases that were drawn are sent again as they stand in the report, known failure or not', async () => {
    const service = await start((broken) => {
      const { find } = broken;
      broken.find = (id) => (id === '%%' ? broken.users[0] : find(id));
    });
    await withReport({ outcome: 'known-failure', reproduction }, async (folder) => {
      const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
      const { code, stdout } = await reproduce(folder, env, slug);
      expect(stdout).toContain('/users/%25%25');
      expect(stdout).toContain(`${slug} failed in 3 of 3 tries.`);
      expect(code).toBe(1);
    }).finally(service.close);
  });

  test('a target that does not answer leaves it open: 2 and one sentence', async () => {
    await withReport({}, async (folder) => {
      const { code, stderr } = await reproduce(folder, { API_KEY: KEY, BASE_URL: NOWHERE }, slug);
      expect(stderr).toMatch(/^retrieve.pattern could not be tried: [^\n]+\n$/);
      expect(code).toBe(2);
    });
  });
});
