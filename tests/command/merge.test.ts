import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { judge } from '../../src/api/judge.ts';
import type { Report } from '../../src/reports/report.ts';
import { type Made, type MadeRow, madeReport } from '../made-report.ts';
import { brokenBy } from '../services/named.ts';
import { start, withPeople } from '../services/service.ts';
import { filesBelow, inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const SLUG = 'authentication.retrieve-needs-key';
const LITTLE = {
  only: [SLUG],
  thorough: true,
  budgetSeconds: 1,
  maxRequests: 100,
  maxUsers: 10,
  settleMs: 200,
};

describe.concurrent('merge', () => {
  test('makes one verdict and one report of thorough runs with different seeds, and keeps the key out', async () => {
    const service = await start(withPeople);
    const broken = await start(withPeople, brokenBy('the guard matches the path exactly'));
    await inFolder(async (folder) => {
      for (const [seed, { baseUrl, apiKey }] of [
        [1, service],
        [2, broken],
      ] as const) {
        await judge({
          baseUrl,
          apiKey,
          ...LITTLE,
          name: 'Ours',
          seed,
          reportDir: join(folder, `runs/${seed}`),
        });
      }
      const { code, stdout, stderr } = await runCommand(['merge', 'runs/1', 'runs/2'], {}, folder);
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).toContain('target: Ours, 2 runs merged');
      expect(stdout).toContain(`✗ MUST ${SLUG}`);
      expect(stdout).toContain('seen in   1 of 2 runs: seed 2');
      const files = filesBelow(join(folder, 'reports'));
      const names = ['report.html', 'badge.json', 'conformance.json', 'junit.xml', 'summary.md'];
      expect(files.map(({ path }) => path)).toEqual(
        expect.arrayContaining(names.map((name) => join(folder, 'reports', name))),
      );
      for (const { content } of files) {
        for (const { apiKey } of [service, broken]) expect(content).not.toContain(apiKey);
      }
      const report: Report = JSON.parse(
        readFileSync(join(folder, 'reports/conformance.json'), 'utf8'),
      );
      expect(schemaError('report.schema.json', report, 'report')).toBeUndefined();
      expect(report.runs?.map(({ seed }) => seed)).toEqual([1, 2]);
      const xml = readFileSync(join(folder, 'reports/junit.xml'), 'utf8');
      const [, failures, errors, time] =
        /<testsuites .*failures="(\d)" errors="(\d)" .*time="([\d.]+)"/.exec(xml) ?? [];
      expect([failures, errors, time]).toEqual(['1', '0', (report.duration / 1000).toFixed(3)]);
      expect(xml.match(/<failure /g)).toHaveLength(1);
      const parts = [1, 2].map(
        (seed): Report =>
          JSON.parse(readFileSync(join(folder, `runs/${seed}/conformance.json`), 'utf8')),
      );
      expect(report.requests).toBe(parts.reduce((sum, one) => sum + one.requests, 0));
    }).finally(() => Promise.all([service.close(), broken.close()]));
  });

  test.each([
    ['conformant', 0, {}],
    ['non-conformant', 1, { outcome: 'failed', reason: 'expected 1, got 2' }],
    ['inconclusive', 3, { outcome: 'not-verified', reason: 'no response' }],
  ] as const)('ends as a run does: %s with code %i', async (verdict, expected, second) => {
    await withReports(
      [
        [{}, { target: named('A', 1) }],
        [second, { target: named('A', 2) }],
      ],
      async (folder) => {
        const { code, stdout } = await runCommand(
          ['merge', '1', '2', '--report-dir', 'out'],
          {},
          folder,
        );
        expect(code).toBe(expected);
        expect(stdout).toContain(`Verdict: ${verdict}. `);
        expect(JSON.parse(readFileSync(join(folder, 'out/conformance.json'), 'utf8')).verdict).toBe(
          verdict,
        );
      },
    );
  });

  test('tells GitHub Actions', async () => {
    await withReports(
      [
        [{}, {}],
        [{ outcome: 'failed', reason: 'expected 1, got 2' }, {}],
      ],
      async (folder) => {
        const [GITHUB_OUTPUT, GITHUB_STEP_SUMMARY] = [
          join(folder, 'outputs'),
          join(folder, 'summary'),
        ];
        const env = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT, GITHUB_STEP_SUMMARY };
        const { stdout } = await runCommand(['merge', '1', '2'], env, folder);
        expect(stdout).toContain('::error title=MUST list.answers::');
        expect(readFileSync(GITHUB_OUTPUT, 'utf8')).toContain('verdict=non-conformant\n');
        expect(readFileSync(GITHUB_STEP_SUMMARY, 'utf8')).toContain(
          '# Conformance of ` A `: non-conformant',
        );
      },
    );
  });
});

function named(name: string, port: number): Made['target'] {
  return { name, baseUrl: `http://127.0.0.1:${3000 + port}/v1`, embeddedReference: false };
}

/** A folder with made reports of runs of one requirement, in the directories 1, 2 and so on. */
function withReports(
  runs: [Partial<MadeRow>, Partial<Made>][],
  action: (folder: string) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    for (const [index, [row, changes]] of runs.entries()) {
      const tally = {
        tag: `tag${index}`,
        start: 0,
        requests: 1,
        usersCreated: 1,
        observations: {},
      };
      mkdirSync(join(folder, `${index + 1}`));
      const report = madeReport([{ slug: 'list.answers', ...row }], { tally, ...changes });
      writeFileSync(join(folder, `${index + 1}`, 'conformance.json'), JSON.stringify(report));
    }
    await action(folder);
  });
}
