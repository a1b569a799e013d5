import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { reportOf } from '../made-report.ts';
import { judgeAll } from '../run.ts';
import type { Running } from '../services/listen.ts';
import { brokenBy } from '../services/named.ts';
import { start, withPeople } from '../services/service.ts';
import { inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** Judges a service in this process, and writes its report into a folder. */
async function writeReport(folder: string, name: string, service: Running): Promise<void> {
  const { outcomes, tally } = await judgeAll(service);
  const target = { name, baseUrl: service.baseUrl, embeddedReference: false };
  const report = reportOf(outcomes, { tally, target });
  mkdirSync(folder);
  writeFileSync(join(folder, 'conformance.json'), JSON.stringify(report));
}

test.concurrent('compares real runs: the reference service and a broken one', async () => {
  const broken = await start(withPeople, brokenBy('the guard matches the path exactly'));
  const reference = await start(withPeople);
  await inFolder(async (folder) => {
    await writeReport(join(folder, 'a'), 'Reference', reference);
    await writeReport(join(folder, 'b'), 'Broken', broken);
    const args = ['compare', 'b/conformance.json', 'a', '--report-dir', 'out'];
    const { code, stdout, stderr } = await runCommand(args, {}, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const musts = requirements.filter(({ level }) => level === 'MUST').length;
    expect(stdout).toMatch(new RegExp(`^Broken: ✗ non-conformant, \\d\\d/${musts} MUST, `, 'm'));
    expect(stdout).toMatch(new RegExp(`^Reference: ✓ conformant, ${musts}/${musts} MUST, `, 'm'));
    expect(stdout).toContain('\n\nout/comparison.md\nout/comparison.json\n');
    const id = 'authentication.retrieve-needs-key';
    const summary = readFileSync(join(folder, 'out/comparison.md'), 'utf8');
    expect(summary).toContain(`| MUST | \` ${id} \` | ✗ failed | ✓ passed |`);
    const comparison = JSON.parse(readFileSync(join(folder, 'out/comparison.json'), 'utf8'));
    expect(comparison.requirements).toContainEqual({
      id,
      level: 'MUST',
      differs: true,
      outcomes: ['failed', 'passed'],
    });
  }).finally(() => Promise.all([broken.close(), reference.close()]));
});

test.concurrent('the help names compare, and fits one screen', async () => {
  await inFolder(async (folder) => {
    const { code, stdout } = await runCommand(['--help'], {}, folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}compare DIR… /m);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(48);
  });
});
