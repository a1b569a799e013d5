import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { createService } from '../../reference/service.ts';
import { freePort } from '../free-port.ts';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, reportIn, runNode } from '../shell.ts';

const API_KEY = 'Start-test_key.4711';
/** The reference service on PORT, in the background of a shell, as `npm start` has it below itself. */
const REFERENCE = `node "${join(COMMAND, '../reference.mjs')}"`;
const IN_BACKGROUND = `echo "the key is $API_KEY$CONFORMANCE_ONLY"; ${REFERENCE} & echo $! > pid; wait`;
const FEW = ['--only', 'create.location'];

/** What a run in a folder needs, with a port for the service that it starts. */
async function target(folder: string) {
  const PORT = `${await freePort()}`;
  return { PATH: process.env.PATH ?? '', HOME: folder, PORT, BASE_URL: `http://127.0.0.1:${PORT}/v1`, API_KEY };
}

/** Waits until the process whose number stands in a file is gone. */
const isGone = (file: string) =>
  vi.waitFor(() => expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow('ESRCH'), 90_000);

test.concurrent('--start starts the service, judges it, and ends all of it', async () => {
  await inFolder(async (folder) => {
    const { code, stdout, stderr } = await runNode(
      [COMMAND, ...FEW, '--start', IN_BACKGROUND],
      await target(folder),
      folder,
    );
    expect(stderr).toBe('');
    expect(stdout).toContain('Verdict: conformant (partial).');
    expect(code).toBe(0);
    await isGone(join(folder, 'pid'));
    expect(readFileSync(join(folder, 'reports/service.log'), 'utf8')).toMatch(/^the key is <API_KEY>\nThe reference/);
    for (const { path, content } of filesBelow(folder)) expect(content, path).not.toContain(API_KEY);
  });
});

test.concurrent.each([
  [
    'echo one; echo "$API_KEY" >&2; exit 7',
    [],
    /^The service ended with exit code 7 before it answered at .*\n.*\n {2}/,
  ],
  ['kill -9 $$', [], /^The service ended by SIGKILL before it answered at .* It printed nothing\.\n$/],
  [
    'echo one; trap "" TERM; sleep 1000 & echo $! > pid; wait; wait',
    ['--start-timeout', '300'],
    /^The service did not answer at .* within 300 ms: connection refused.*service\.log:\n {2}one\n$/,
  ],
])('--start %s: the last lines, and the code of unusable settings', async (command, args, told) => {
  await inFolder(async (folder) => {
    const { code, stdout, stderr } = await runNode(
      [COMMAND, '--start', command, ...args],
      await target(folder),
      folder,
    );
    expect(stderr).toMatch(told);
    expect(stderr).not.toContain(API_KEY);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    if (existsSync(join(folder, 'pid'))) await isGone(join(folder, 'pid'));
  });
});

// With --reuse: tests/docs/ci.test.ts.
test.concurrent('a service that answers already is not judged', async () => {
  const service = await start();
  await inFolder(async (folder) => {
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const args = [COMMAND, ...FEW, '--start', 'touch started'];
    const refused = await runNode(args, env, folder);
    expect(refused.stderr).toBe(
      `A service listens at ${service.baseUrl} already: end it, or judge it as it is with --reuse.\n`,
    );
    expect(refused.code).toBe(2);
    expect(existsSync(join(folder, 'started'))).toBe(false);
    const nowhere = await runNode(args, {}, folder);
    expect(nowhere.stderr).toMatch(/^--start needs BASE_URL: .*\n$/);
    expect(nowhere.code).toBe(2);
  }).finally(service.close);
});

test.concurrent('a service that ends during the run is told of', async () => {
  await inFolder(async (folder) => {
    writeFileSync(
      join(folder, 'service.mjs'),
      `import { createServer } from 'node:http';
       let asked = 0;
       createServer((_, response) => {
         if (++asked > 1) throw new Error('out of memory');
         response.end();
       }).listen(Number(process.env.PORT), '127.0.0.1');`,
    );
    const args = [COMMAND, ...FEW, '--start', 'node service.mjs'];
    const { code, stdout, stderr } = await runNode(args, await target(folder), folder);
    expect(stdout).toContain('Verdict: inconclusive');
    expect(stderr).toMatch(/^The service ended with exit code 1 during the run\. Its last lines.*\n/);
    expect(stderr).toContain('Error: out of memory');
    expect(code).toBe(3);
  });
});

/** The reference service, and what comes before it gets a request. */
const wrapped = (before: string) => `import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createService } from '${pathToFileURL(join(COMMAND, '../../dist/reference/service.js'))}';
const { API_KEY, PORT } = process.env;
const service = createService(API_KEY);
const server = createServer((request, response) => {
  ${before}
  service(request, response);
}).listen(Number(PORT), '127.0.0.1');`;

test.concurrent('a service that a request ends is started again, and ends again by it: a proven fault', async () => {
  await inFolder(async (folder) => {
    const dies = "if (request.headers.authorization?.startsWith('Basic ')) throw new Error('no such scheme');";
    writeFileSync(join(folder, 'service.mjs'), wrapped(dies));
    // What stands above a service ends later.
    const command = 'node service.mjs; code=$?; sleep 0.3; exit $code';
    const { code, stdout, stderr } = await runNode([COMMAND, '--start', command], await target(folder), folder);
    expect(stdout).toContain(
      'none: the service ended with exit code 1, and again when it was started and sent the same once more: ',
    );
    expect(code).toBe(1);
    expect(stderr.match(/^The service ended with exit code 1 during the run\. Its last lines/gm)).toHaveLength(2);
    expect(stderr).toContain('Error: no such scheme');
    const failed = reportIn(folder)?.requirements.filter(({ outcome }) => outcome === 'failed') ?? [];
    expect(failed.map(({ id }) => id)).toEqual(['http.survives-bad-requests']);
  });
});

test.concurrent('one that ends by itself leaves the run open', async () => {
  await inFolder(async (folder) => {
    const dies =
      "if (!existsSync('ended') && request.method === 'POST') { writeFileSync('ended', ''); process.exit(0); }";
    writeFileSync(join(folder, 'service.mjs'), wrapped(dies));
    const args = [COMMAND, '--start', 'node service.mjs'];
    const { code, stdout, stderr } = await runNode(args, await target(folder), folder);
    expect(stdout).toMatch(/the service ended with exit code 0; the last requests before: .*POST \/v1\/users/);
    expect(stderr).toBe('The service ended with exit code 0 during the run. It printed nothing.\n');
    expect(code).toBe(3);
  });
});

/** Listens where a started service is to listen; what it was sent, and how often with a key. */
async function listenAt(port: string, handle?: RequestListener) {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization ?? '');
    if (handle) handle(request, response);
    else response.end('{"data": [], "total": 0}');
  });
  await new Promise<void>((ready) => server.listen(Number(port), '127.0.0.1', ready));
  return { keys, close: () => server.close() };
}

const exists = (file: string) => vi.waitFor(() => expect(existsSync(file)).toBe(true), 90_000);

describe.runIf(existsSync('/proc/net/tcp'))('where the system tells who listens', () => {
  test.concurrent('a stranger who takes the address while the service starts is not judged, and not sent the key', async () => {
    await inFolder(async (folder) => {
      const env = await target(folder);
      const run = runNode([COMMAND, ...FEW, '--start', 'echo coming up; touch begun; sleep 1000'], env, folder);
      await exists(join(folder, 'begun'));
      const stranger = await listenAt(env.PORT);
      const { code, stdout, stderr } = await run;
      stranger.close();
      expect(stderr).toMatch(
        /^Instead of the service .* \(pid \d+\) listens at .*, which --start did not start\. Its last/,
      );
      expect(stderr).toContain(`(pid ${process.pid})`);
      expect(stderr).toContain('\n  coming up\n');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stranger.keys.filter((key) => key !== '')).toEqual([]);
    });
  });

  test.concurrent('with --reuse whoever takes it is judged, and a notice says so', async () => {
    await inFolder(async (folder) => {
      const env = await target(folder);
      const args = [COMMAND, ...FEW, '--reuse', '--start', 'touch begun; sleep 1000'];
      const run = runNode(args, env, folder);
      await exists(join(folder, 'begun'));
      const stranger = await listenAt(env.PORT, createService(API_KEY));
      const { code, stdout } = await run;
      stranger.close();
      expect(stdout).toMatch(/notice: .* is judged at .*, which --start did not start \(--reuse\)/);
      expect(code).toBe(0);
    });
  });

  test.concurrent('of whom nobody knows who answered, because a stranger listens at the end, nothing is verified', async () => {
    await inFolder(async (folder) => {
      const closes = `if (request.headers.authorization && !existsSync('left')) {
        server.close();
        writeFileSync('left', '');
      }
      while (existsSync('left') && !existsSync('taken'));`;
      writeFileSync(join(folder, 'service.mjs'), wrapped(closes));
      const env = await target(folder);
      const run = runNode([COMMAND, ...FEW, '--start', 'node service.mjs; sleep 1000'], env, folder);
      await exists(join(folder, 'left'));
      const stranger = await listenAt(env.PORT, createService(API_KEY));
      writeFileSync(join(folder, 'taken'), '');
      const { code, stdout } = await run;
      stranger.close();
      expect(stdout).toMatch(/at the end of the run .* listens at .*, which --start did not start/);
      expect(stdout).toContain('Verdict: inconclusive');
      expect(code).toBe(3);
    });
  });

  test.concurrent('a daemon in a session of its own is judged, and ended', async () => {
    await inFolder(async (folder) => {
      const daemon = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
        const child = spawn(process.execPath, ['${join(COMMAND, '../reference.mjs')}'], { detached: true, stdio: 'ignore' });
        writeFileSync('pid', String(child.pid));
        child.unref();`;
      writeFileSync(join(folder, 'daemon.mjs'), daemon);
      const args = [COMMAND, ...FEW, '--start', 'node daemon.mjs'];
      const { code, stdout, stderr } = await runNode(args, await target(folder), folder);
      expect(stderr).toBe('');
      expect(stdout).toContain('Verdict: conformant (partial).');
      expect(code).toBe(0);
      await isGone(join(folder, 'pid'));
    });
  });

  test.concurrent('a daemon that a request ends is started again, too', async () => {
    await inFolder(async (folder) => {
      const dies = "if (request.headers.authorization?.startsWith('Basic ')) throw new Error('no such scheme');";
      writeFileSync(join(folder, 'service.mjs'), wrapped(dies));
      const args = [COMMAND, '--start', 'setsid -f node service.mjs'];
      const { code, stdout, stderr } = await runNode(args, await target(folder), folder);
      expect(stdout).toContain('none: the service ended, and again when it was started and sent the same once more: ');
      expect(stderr).toMatch(/^The service ended during the run\. Its last lines/);
      expect(stderr).toContain('Error: no such scheme');
      expect(code).toBe(1);
    });
  });
});

/** A service that answers once, and from then on never again. */
const STUCK = `import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
let asked = 0;
createServer((_, response) => {
  if (++asked > 1) writeFileSync('stuck', '');
  else response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');`;

test.concurrent.each([
  ['before the service answers', 'sleep 1000 & echo $! > pid; touch stuck; wait'],
  ['during the run', 'node stuck.mjs & echo $! > pid; wait'],
])('Ctrl-C %s ends the service, too', async (when, command) => {
  const duringRun = when === 'during the run';
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'stuck.mjs'), STUCK);
    const child = spawn(process.execPath, [COMMAND, '--start', command], { cwd: folder, env: await target(folder) });
    let stdout = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    const ended = new Promise((end) => child.once('close', end));
    await vi.waitFor(() => expect(existsSync(join(folder, 'stuck'))).toBe(true), 150_000);
    child.kill('SIGINT');
    expect(await ended).toBe(3);
    await isGone(join(folder, 'pid'));
    if (!duringRun) return;
    expect(stdout).toContain('the run was interrupted');
    expect(reportIn(folder)?.verdict).toBe('inconclusive');
    expect(readdirSync(join(folder, 'reports'))).toContain('junit.xml');
  });
});

/** The reference service, which takes any key for a user until a file says that it is fixed. */
const FIXABLE = `import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createService } from '${pathToFileURL(join(COMMAND, '../../dist/reference/service.js'))}';
const { API_KEY, PORT } = process.env;
const service = createService(API_KEY);
createServer((request, response) => {
  if (!existsSync('fixed') && request.url.startsWith('/v1/users/')) request.headers.authorization = 'Bearer ' + API_KEY;
  service(request, response);
}).listen(Number(PORT), '127.0.0.1');`;

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
    expect(readFileSync(join(folder, 'reports/service.log'), 'utf8').match(/^started$/gm)).toHaveLength(2);
    expect(reportIn(folder)?.title).toBe('conformant (partial)');
  });
});
