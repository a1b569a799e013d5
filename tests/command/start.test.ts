import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { API_KEY, FEW, isGone, target, wrapped } from './started.ts';

/** The reference service on PORT, in the background of a shell, as `npm start` has it below itself. */
const REFERENCE = `node "${join(COMMAND, '../reference.mjs')}"`;
const IN_BACKGROUND = `echo "the key is $API_KEY$CONFORMANCE_ONLY"; ${REFERENCE} & echo $! > pid; wait`;
test.concurrent('--start starts the service, judges it, and ends all of it', async () => {
  await inFolder(async (folder) => {
    const { code, stdout, stderr } = await runCommand(
      [...FEW, '--start', IN_BACKGROUND],
      await target(folder),
      folder,
    );
    expect(stderr).toBe('');
    expect(stdout).toContain('Verdict: conformant (partial).');
    expect(code).toBe(0);
    await isGone(join(folder, 'pid'));
    expect(readFileSync(join(folder, 'reports/service.log'), 'utf8')).toMatch(
      /^the key is <API_KEY>\nThe reference/,
    );
    for (const { path, content } of filesBelow(folder))
      expect(content, path).not.toContain(API_KEY);
  });
});

test.concurrent.each([
  [
    'echo one; echo "$API_KEY" >&2; exit 7',
    [],
    /^The service ended with exit code 7 before it responded at .*\n.*\n {2}/,
  ],
  [
    'kill -9 $$',
    [],
    /^The service ended by SIGKILL before it responded at .* It printed nothing\.\n$/,
  ],
  [
    'echo one; trap "" TERM; sleep 1000 & echo $! > pid; wait; wait',
    ['--start-timeout', '300'],
    /^The service did not respond at .* within 300 ms: (connection refused|no complete response).*service\.log\):\n {2}one\n$/,
  ],
])('--start %s: the last lines, and the code of unusable settings', async (command, args, told) => {
  await inFolder(async (folder) => {
    const { code, stdout, stderr } = await runCommand(
      ['--start', command, ...args],
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
    const args = [...FEW, '--start', 'touch started'];
    const refused = await runCommand(args, env, folder);
    expect(refused.stderr).toBe(
      `A service is already listening at ${service.baseUrl}: stop it, or use it with --reuse.\n`,
    );
    expect(refused.code).toBe(2);
    expect(existsSync(join(folder, 'started'))).toBe(false);
    const nowhere = await runCommand(args, {}, folder);
    expect(nowhere.stderr).toMatch(/^--start needs --base-url: .*\n$/);
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
    const args = [...FEW, '--start', 'node service.mjs'];
    const { code, stdout, stderr } = await runCommand(args, await target(folder), folder);
    expect(stdout).toContain('Verdict: inconclusive');
    expect(stderr).toMatch(
      /^The service ended with exit code 1 during the run\. Its last lines.*\n/,
    );
    expect(stderr).toContain('Error: out of memory');
    expect(code).toBe(3);
  });
});

test.concurrent('a service that a request ends is started again, and ends again by it: a proven fault', async () => {
  await inFolder(async (folder) => {
    const dies =
      "if (request.headers.authorization?.startsWith('Basic ')) throw new Error('no such scheme');";
    writeFileSync(join(folder, 'service.mjs'), wrapped(dies));
    // What stands above a service ends later.
    const command = 'node service.mjs; code=$?; sleep 0.3; exit $code';
    const { code, stdout, stderr } = await runCommand(
      ['--start', command],
      await target(folder),
      folder,
    );
    expect(stdout).toContain('none: the service ended with exit code 1, each time after ');
    expect(code).toBe(1);
    expect(
      stderr.match(/^The service ended with exit code 1 during the run\. Its last lines/gm),
    ).toHaveLength(2);
    expect(stderr).toContain('Error: no such scheme');
    const failed =
      reportIn(folder)?.requirements.filter(({ outcome }) => outcome === 'failed') ?? [];
    expect(failed.map(({ id }) => id)).toEqual(['http.survives-bad-requests']);
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
    const child = spawn(process.execPath, [COMMAND, '--start', command], {
      cwd: folder,
      env: await target(folder),
    });
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
