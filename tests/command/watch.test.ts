import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND, inFolder, reportIn } from '../shell.ts';
import { target, wrapped } from './started.ts';

/** It takes any key for a user until a file says that it is fixed. */
const FIXABLE = wrapped(
  "if (!existsSync('fixed') && request.url.startsWith('/v1/users/')) request.headers.authorization = `Bearer ${API_KEY}`;",
);

test.concurrent('--watch runs again and starts the service again when a file changes, runs what failed on f, and ends on q', async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'fixable.mjs'), FIXABLE);
    const few = ['--only', 'authentication.retrieve-needs-key', 'versioning.base-address'];
    const args = [COMMAND, '--watch', ...few, '--start', 'echo started; node fixable.mjs'];
    const child = spawn(process.execPath, args, { cwd: folder, env: await target(folder) });
    const ended = new Promise((end) => child.once('close', end));
    const runs: string[] = [''];
    const next = [
      () => child.stdin.write('f\n'),
      () => writeFileSync(join(folder, 'fixed'), ''),
      () => child.stdin.write('\n'),
      () => child.stdin.write('f\n'),
      () => child.stdin.write('q\n'),
    ];
    child.stdout.on('data', (data) => {
      runs[runs.length - 1] += String(data);
      if (!runs.at(-1)?.includes('Press r or Enter')) return;
      runs.push('');
      next.shift()?.();
    });
    expect(await ended).toBe(0);
    const [first = '', failed = '', fixed = '', again = '', none = ''] = runs;
    expect(first).toContain('Verdict: non-conformant (partial).');
    expect(failed).toContain('Since the last run: 1 still failing\n');
    expect(failed).not.toContain('Versioning 1');
    expect(fixed).toMatch(/changed: fixed\n(JUNIT.*\n)?\nSince the last run: 1 fixed\n/);
    expect(fixed).toContain('  fixed\n    authentication.retrieve-needs-key\n');
    expect(fixed).toContain('Verdict: conformant (partial).');
    expect(again).toContain('Since the last run: nothing has changed\n');
    expect(none).toContain('Nothing failed in the last run.');
    expect(
      readFileSync(join(folder, 'reports/service.log'), 'utf8').match(/^started$/gm),
    ).toHaveLength(2);
    expect(reportIn(folder)?.title).toBe('conformant (partial)');
  });
});
