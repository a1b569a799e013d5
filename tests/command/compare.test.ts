import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { reportOf } from '../made-report.ts';
import { judgeAll } from '../run.ts';
import { brokenBy } from '../services/named.ts';
import { start, withPeople } from '../services/service.ts';
import { inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';

test.concurrent('compares real runs: the reference service and a broken one', async () => {
  const [service, reference] = await Promise.all([
    start(withPeople, brokenBy('the guard matches the path exactly')),
    start(withPeople),
  ]);
  await inFolder(async (folder) => {
    for (const [directory, name, target] of [
      ['a', 'Reference', reference],
      ['b', 'Broken', service],
    ] as const) {
      const { outcomes, tally } = await judgeAll(target);
      const report = reportOf(outcomes, {
        tally,
        target: { name, baseUrl: target.baseUrl, embeddedReference: false },
      });
      mkdirSync(join(folder, directory));
      writeFileSync(join(folder, directory, 'conformance.json'), JSON.stringify(report));
    }
    const args = ['compare', 'b/conformance.json', 'a', '--report-dir', 'out'];
    const { code, stdout, stderr } = await runCommand(args, {}, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const musts = requirements.filter(({ level }) => level === 'MUST').length;
    expect(stdout).toMatch(new RegExp(`^Broken: ✗ non-conformant, \\d\\d/${musts} MUST, `, 'm'));
    expect(stdout).toMatch(new RegExp(`^Reference: ✓ conformant, ${musts}/${musts} MUST, `, 'm'));
    expect(stdout).toContain('\n\nout/comparison.md\nout/comparison.json\n');
    const summary = readFileSync(join(folder, 'out/comparison.md'), 'utf8');
    expect(summary).toContain(
      '| MUST | ` authentication.retrieve-needs-key ` | ✗ failed | ✓ passed |',
    );
    const { requirements: rows } = JSON.parse(
      readFileSync(join(folder, 'out/comparison.json'), 'utf8'),
    );
    const id = 'authentication.retrieve-needs-key';
    expect(rows).toContainEqual({
      id,
      level: 'MUST',
      differs: true,
      outcomes: ['failed', 'passed'],
    });
  }).finally(() => Promise.all([service.close(), reference.close()]));
});

test.concurrent('the page of help names compare, and fits one screen', async () => {
  await inFolder(async (folder) => {
    const { code, stdout } = await runCommand(['--help'], {}, folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}compare DIR… /m);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(48);
  });
});
