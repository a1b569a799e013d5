import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { COMMAND, inFolder, reportIn, startNode } from '../shell.ts';
import { target, wrapped } from './started.ts';

const FEW = ['--only', 'authentication.retrieve-needs-key', 'versioning.base-address'];

/** A statement that makes retrievals accept any key. */
const ACCEPT_ANY_KEY =
  "if (request.url.startsWith('/v1/users/')) request.headers.authorization = `Bearer ${API_KEY}`;";

/** A service that is fixed once the file `fixed` exists. */
const FIXABLE = wrapped(`if (!existsSync('fixed')) { ${ACCEPT_ANY_KEY} }`);

/** A statement of a service that reads the file only before its first response. */
const FIXED_BY_RESTART = `
  globalThis.isFixed ??= existsSync('fixed');
  if (!isFixed) { ${ACCEPT_ANY_KEY} }`;

/** An action of the user while the command waits for a key. */
type Step = (stdin: Writable) => void;

const press =
  (key: string): Step =>
  (stdin) => {
    stdin.write(`${key}\n`);
  };

const wait: Step = () => {};

/** A run of the command with --watch. */
interface WatchedRun {
  /** The output up to each wait for a key. */
  outputs: string[];
  code: number | null;
  stderr: string;
  /** The number of starts of the service. */
  starts: number | undefined;
}

/** Runs the command with --watch and a service, with one step each time the command waits. */
async function watchService(
  folder: string,
  service: string,
  steps: Step[],
  nodeOptions: string[] = [],
): Promise<WatchedRun> {
  writeFileSync(join(folder, 'service.mjs'), service);
  const args = [COMMAND, '--watch', ...FEW, '--start', 'echo started; node service.mjs'];
  const { child, ended } = startNode([...nodeOptions, ...args], await target(), folder);
  const outputs: string[] = [];
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
    if (!output.includes('Press r or Enter')) return;
    outputs.push(output);
    output = '';
    steps.shift()?.(child.stdin);
  });
  const { code, stderr } = await ended;
  const log = readFileSync(join(folder, 'reports/service.log'), 'utf8');
  return { outputs, code, stderr, starts: log.match(/^started$/gm)?.length };
}

test.concurrent('--watch repeats the run after a change, and runs or ends by keys', async () => {
  await inFolder(async (folder) => {
    const { outputs, code, starts } = await watchService(folder, FIXABLE, [
      press('f'),
      () => writeFileSync(join(folder, 'fixed'), ''),
      press(''),
      press('f'),
      press('q'),
    ]);
    expect(code).toBe(0);
    const [first, onlyFailed, fixed, rerun, noneFailed] = outputs;
    expect(first).toContain('Verdict: non-conformant (partial).');
    expect(onlyFailed).toContain('Since the last run: 1 still failing\n');
    expect(onlyFailed).not.toContain('Versioning 1');
    expect(fixed).toMatch(/changed: fixed\n(JUNIT.*\n)?\nSince the last run: 1 fixed\n/);
    expect(fixed).toContain('  fixed\n    authentication.retrieve-needs-key\n');
    expect(fixed).toContain('Verdict: conformant (partial).');
    expect(rerun).toContain('Since the last run: nothing has changed\n');
    expect(noneFailed).toContain('Nothing failed in the last run.');
    expect(starts).toBe(2);
    expect(reportIn(folder)?.title).toBe('conformant (partial)');
  });
});

test.concurrent('after an edit during a run, the service and a new run start', async () => {
  await inFolder(async (folder) => {
    const edit = "if (request.url.startsWith('/v1/users')) writeFileSync('fixed', '');";
    const service = wrapped(`${FIXED_BY_RESTART} if (!isFixed) { ${edit} }`);
    const { outputs, code, starts } = await watchService(folder, service, [wait, press('q')]);
    const [first, second] = outputs;
    expect(first).toContain('Verdict: non-conformant (partial).');
    expect(second).toContain('changed: fixed\n');
    expect(second).toContain('Verdict: conformant (partial).');
    expect({ code, starts }).toEqual({ code: 0, starts: 2 });
  });
});

test.concurrent('if the system reports no changes, r restarts the service with them', async () => {
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
    const [, unchanged, fixed] = outputs;
    expect(unchanged).toContain('Verdict: non-conformant (partial).');
    expect(fixed).toContain('Verdict: conformant (partial).');
    expect({ code, starts }).toEqual({ code: 0, starts: 2 });
  });
});

test.concurrent('a file that the service writes in each run causes no endless runs', async () => {
  await inFolder(async (folder) => {
    const service = wrapped(
      "if (request.url.startsWith('/v1/users')) writeFileSync('users.json', `${performance.now()}`);",
    );
    const steps = [wait, wait, press('r'), press('q')];
    const { outputs, code } = await watchService(folder, service, steps);
    const [first, second, third, fourth] = outputs;
    const notice =
      'Changed during each of the last 3 runs: users.json. If the service writes it, add it to .gitignore; press r to rerun.\n';
    expect(first).not.toContain(notice);
    expect(second).not.toContain(notice);
    expect(third).toContain(notice);
    expect(fourth).toContain(notice);
    expect(code).toBe(0);
  });
});
