import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { makeEvent } from '../events.ts';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, reportIn, runNode, startNode } from '../shell.ts';
import { API_KEY, target, waitForExit, wrapped } from './started.ts';

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
  /** The number of starts of the service. */
  starts: number | undefined;
}

/** Runs the command with --watch and a service, with one step each time the command waits. */
async function watchService(folder: string, service: string, steps: Step[]): Promise<WatchedRun> {
  writeFileSync(join(folder, 'service.mjs'), service);
  const args = [COMMAND, '--watch', ...FEW, '--start', 'echo started; node service.mjs'];
  const { child, ended } = startNode(args, await target(), folder);
  const outputs: string[] = [];
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
    if (!output.includes('Press r or Enter')) return;
    outputs.push(output);
    output = '';
    steps.shift()?.(child.stdin);
  });
  const { code } = await ended;
  const log = readFileSync(join(folder, 'reports/service.log'), 'utf8');
  return { outputs, code, starts: log.match(/^started$/gm)?.length };
}

test.concurrent('--watch repeats the run after a change, and runs or ends by keys', async () => {
  await inFolder(async (folder) => {
    const { outputs, code, starts } = await watchService(folder, FIXABLE, [
      press('f'),
      press('r'),
      () => writeFileSync(join(folder, 'fixed'), ''),
      press(''),
      press('f'),
      press('q'),
    ]);
    expect(code).toBe(0);
    const [first, onlyFailed, , fixed, rerun, noneFailed] = outputs;
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

test.concurrent('a file that the service writes in each run causes no endless runs', async () => {
  await inFolder(async (folder) => {
    const service = wrapped(
      "if (request.url.startsWith('/v1/users')) writeFileSync('users.json', `${performance.now()}`);",
    );
    const steps = [wait, wait, press('r'), press('q')];
    const { outputs, code } = await watchService(folder, service, steps);
    const [first, second, third, fourth] = outputs;
    const notice =
      'Changed during each of the last 3 runs, so it starts no further run: users.json. Press r to rerun.\n';
    expect(first).not.toContain(notice);
    expect(second).not.toContain(notice);
    expect(third).toContain(notice);
    expect(fourth).toContain(notice);
    expect(code).toBe(0);
  });
});

test.concurrent('links that cannot be followed end nothing', async () => {
  await inFolder(async (folder) => {
    symlinkSync('loop', join(folder, 'loop'));
    const { outputs, code } = await watchService(folder, FIXABLE, [
      () => {
        symlinkSync('x'.repeat(4000), join(folder, 'long'));
        writeFileSync(join(folder, 'fixed'), '');
      },
      press('q'),
    ]);
    expect(outputs[1]).toContain('changed: fixed\n');
    expect(code).toBe(0);
  });
});

test.concurrent('no name of a changed file shows the key', async () => {
  await inFolder(async (folder) => {
    const { outputs } = await watchService(folder, wrapped(''), [
      () => writeFileSync(join(folder, `${API_KEY}.js`), ''),
      press('q'),
    ]);
    expect(outputs[1]).toContain('changed: <API_KEY>.js\n');
    expect(outputs.join('')).not.toContain(API_KEY);
  });
});

test.concurrent('git is not called, since a checkout may make it run programs', async () => {
  await inFolder(async (folder) => {
    const git = join(folder, 'git');
    writeFileSync(git, '#!/bin/sh\ntouch called', { mode: 0o755 });
    const env = { ...(await target()), PATH: `${folder}:${process.env.PATH}` };
    writeFileSync(join(folder, 'service.mjs'), wrapped(''));
    const args = [COMMAND, '--watch', ...FEW, '--start', 'node service.mjs'];
    const { child, ended } = startNode(args, env, folder);
    child.stdin.end();
    expect((await ended).code).toBe(0);
    await runNode([COMMAND, 'init'], env, folder);
    expect(existsSync(join(folder, 'called'))).toBe(false);
  });
});

/** Calls a function with a service that responds to no request of a run. */
async function withStuckService(
  action: (env: Record<string, string>, requested: Promise<void>) => Promise<void>,
): Promise<void> {
  const requested = makeEvent();
  const { baseUrl, apiKey, close } = await start((service) => {
    service.handle = () => {
      requested.trigger();
      return new Promise(() => {});
    };
  });
  const env = { BASE_URL: baseUrl, API_KEY: apiKey };
  await action(env, requested.happened).finally(close);
}

const WATCH = [COMMAND, '--watch', ...FEW];

test.concurrent.each<[string, (child: ChildProcess) => void]>([
  ['q', ({ stdin }) => stdin?.write('q\n')],
  ['SIGINT', (child) => child.kill('SIGINT')],
  ['SIGTERM', (child) => child.kill('SIGTERM')],
  ['SIGHUP', (child) => child.kill('SIGHUP')],
  ['a second q', ({ stdin }) => stdin?.write('q\nq\n')],
])('%s ends the command during a run', async (_, end) => {
  await inFolder(async (folder) => {
    await withStuckService(async (env, requested) => {
      const { child, ended } = startNode(WATCH, env, folder);
      await requested;
      end(child);
      const { code, stdout, stderr } = await ended;
      expect(stdout).toContain('Ending …\n');
      expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
      expect(existsSync(join(folder, 'reports/.in-use'))).toBe(false);
    });
  });
});

test.concurrent('an error of the suite itself ends the command', async () => {
  await inFolder(async (folder) => {
    const fault = "process.once('SIGUSR2', () => { throw new Error('broken'); });";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
    await withStuckService(async (env, requested) => {
      const { child, ended } = startNode(WATCH, { ...env, NODE_OPTIONS }, folder);
      await requested;
      child.kill('SIGUSR2');
      const { code, stdout } = await ended;
      expect(stdout).toContain('The suite itself failed: broken\n');
      expect(code).toBe(4);
    });
  });
});

test.concurrent('SIGTERM ends a service that ignores it', async () => {
  await inFolder(async (folder) => {
    const ignore = "globalThis.isDeaf ??= process.on('SIGTERM', () => {});";
    writeFileSync(join(folder, 'service.mjs'), wrapped(ignore));
    const args = [...WATCH, '--start', 'echo $$ > pid; exec node service.mjs'];
    const { child, ended } = startNode(args, await target(), folder);
    child.stdout.on('data', (data) => {
      if (`${data}`.includes('Press r or Enter')) child.kill('SIGTERM');
    });
    expect((await ended).code).toBe(0);
    await waitForExit(join(folder, 'pid'));
    expect(existsSync(join(folder, 'reports/.in-use'))).toBe(false);
  });
});

// Other systems have another `script`.
test.runIf(process.platform === 'linux').concurrent.each([true, false])(
  'the end of the terminal ends the command (during a run: %s)',
  async (isDuringRun) => {
    await inFolder(async (folder) => {
      const service = await start();
      await withStuckService(async (stuckEnv, requested) => {
        const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
        const command = [process.execPath, ...WATCH].map((word) => `'${word}'`).join(' ');
        const terminal = spawn('script', ['-qec', `exec ${command}`, '/dev/null'], {
          cwd: folder,
          env: { ...process.env, ...(isDuringRun ? stuckEnv : env) },
          stdio: ['pipe', 'pipe', 'ignore'],
        });
        const isWaiting = makeEvent();
        terminal.stdout.on('data', (data) => {
          if (`${data}`.includes('Press r or Enter')) isWaiting.trigger();
        });
        await (isDuringRun ? requested : isWaiting.happened);
        const claim = join(folder, 'reports/.in-use');
        copyFileSync(claim, join(folder, 'pid'));
        terminal.kill('SIGKILL');
        await waitForExit(join(folder, 'pid'));
        expect(existsSync(claim)).toBe(false);
      }).finally(service.close);
    });
  },
);
