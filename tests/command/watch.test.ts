import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND, inFolder, reportIn } from '../shell.ts';
import { target, wrapped } from './started.ts';

const FEW = ['--only', 'authentication.retrieve-needs-key', 'versioning.base-address'];

/** It takes any key for a user until a file says that it is fixed. */
const TAKES_ANY_KEY =
  "if (request.url.startsWith('/v1/users/')) request.headers.authorization = `Bearer ${API_KEY}`;";
const FIXABLE = wrapped(`if (!existsSync('fixed')) { ${TAKES_ANY_KEY} }`);

/** It looks for that file once, when the suite waits for its first response. */
const FIXED_BY_RESTART = `globalThis.isFixed ??= existsSync('fixed'); if (!isFixed) { ${TAKES_ANY_KEY} }`;

/** Acts when the command waits for a key. */
type Step = (stdin: NonNullable<ChildProcess['stdin']>) => void;

const press =
  (key: string): Step =>
  (stdin) =>
    void stdin.write(`${key}\n`);

/**
 * Runs the command with --watch and a service, and takes a step each time the command waits.
 * Resolves with the output up to each wait, the exit code and how often the service was started.
 */
async function watchService(
  folder: string,
  service: string,
  steps: Step[],
  nodeOptions: string[] = [],
) {
  writeFileSync(join(folder, 'service.mjs'), service);
  const args = [COMMAND, '--watch', ...FEW, '--start', 'echo started; node service.mjs'];
  const env = await target(folder);
  const child = spawn(process.execPath, [...nodeOptions, ...args], { cwd: folder, env });
  const outputs = [''];
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += String(data);
  });
  child.stdout.on('data', (data) => {
    outputs[outputs.length - 1] += String(data);
    if (!outputs.at(-1)?.includes('Press r or Enter')) return;
    outputs.push('');
    steps.shift()?.(child.stdin);
  });
  const [code] = await once(child, 'close');
  const log = readFileSync(join(folder, 'reports/service.log'), 'utf8');
  return { outputs, code, stderr, starts: log.match(/^started$/gm)?.length };
}

test.concurrent('--watch runs again and starts the service again when a file changes, runs what failed on f, and ends on q', async () => {
  await inFolder(async (folder) => {
    const { outputs, code, starts } = await watchService(folder, FIXABLE, [
      press('f'),
      () => writeFileSync(join(folder, 'fixed'), ''),
      press(''),
      press('f'),
      press('q'),
    ]);
    expect(code).toBe(0);
    const [first = '', failed = '', fixed = '', again = '', none = ''] = outputs;
    expect(first).toContain('Verdict: non-conformant (partial).');
    expect(failed).toContain('Since the last run: 1 still failing\n');
    expect(failed).not.toContain('Versioning 1');
    expect(fixed).toMatch(/changed: fixed\n(JUNIT.*\n)?\nSince the last run: 1 fixed\n/);
    expect(fixed).toContain('  fixed\n    authentication.retrieve-needs-key\n');
    expect(fixed).toContain('Verdict: conformant (partial).');
    expect(again).toContain('Since the last run: nothing has changed\n');
    expect(none).toContain('Nothing failed in the last run.');
    expect(starts).toBe(2);
    expect(reportIn(folder)?.title).toBe('conformant (partial)');
  });
});

test.concurrent('an edit during a run restarts the service and leads to another run right after it', async () => {
  await inFolder(async (folder) => {
    const edited = "if (request.url.startsWith('/v1/users')) writeFileSync('fixed', '');";
    const service = wrapped(`${FIXED_BY_RESTART} if (!isFixed) { ${edited} }`);
    const { outputs, code, starts } = await watchService(folder, service, [() => {}, press('q')]);
    const [first = '', second = ''] = outputs;
    expect(first).toContain('Verdict: non-conformant (partial).');
    expect(second).toContain('changed: fixed\n');
    expect(second).toContain('Verdict: conformant (partial).');
    expect({ code, starts }).toEqual({ code: 0, starts: 2 });
  });
});

test.concurrent('where the system reports no changes, one sentence says so, and r restarts the service with them', async () => {
  await inFolder(async (folder) => {
    const noWatch = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      fs.watch = () => { throw Object.assign(new Error('no space'), { code: 'ENOSPC' }); };
      syncBuiltinESMExports();`;
    const { outputs, code, stderr, starts } = await watchService(
      folder,
      wrapped(FIXED_BY_RESTART),
      [
        press('r'),
        (stdin) => {
          writeFileSync(join(folder, 'fixed'), '');
          press('r')(stdin);
        },
        press('q'),
      ],
      ['--import', `data:text/javascript,${encodeURIComponent(noWatch)}`],
    );
    expect(stderr).toContain(
      'Changes of files are not noticed (ENOSPC): press r after a change, or raise fs.inotify.max_user_watches.\n',
    );
    const [, unchanged = '', fixed = ''] = outputs;
    expect(unchanged).toContain('Verdict: non-conformant (partial).');
    expect(fixed).toContain('Verdict: conformant (partial).');
    expect({ code, starts }).toEqual({ code: 0, starts: 2 });
  });
});

test.concurrent('a file that the service writes in each run does not lead to runs without end', async () => {
  await inFolder(async (folder) => {
    const service = wrapped(
      "if (request.url.startsWith('/v1/users')) writeFileSync('users.json', `${performance.now()}`);",
    );
    const { outputs, code } = await watchService(folder, service, [
      () => {},
      () => {},
      press('r'),
      press('q'),
    ]);
    const [first, second, third, fourth] = outputs;
    const told =
      'Changed during each of the last 3 runs: users.json. If the service writes it, add it to .gitignore; press r to rerun.\n';
    expect(first).not.toContain(told);
    expect(second).not.toContain(told);
    expect(third).toContain(told);
    expect(fourth).toContain(told);
    expect(code).toBe(0);
  });
});
