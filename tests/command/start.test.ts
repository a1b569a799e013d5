import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitForFile } from '../events.ts';
import { start } from '../services/service.ts';
import { COMMAND, FEW, filesBelow, inFolder, ROOT, reportIn, startNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { API_KEY, CRASH_ON_BASIC, target, waitForExit, wrapped } from './started.ts';

/** Starts the reference service as a child of the shell, as `npm start` does. */
const SHELL_WITH_CHILD = [
  'echo "the key is $API_KEY$CONFORMANCE_ONLY"',
  `node "${join(ROOT, 'bin/reference.mjs')}" & echo $! > pid`,
  'wait',
].join('; ');

test.concurrent('--start starts the service, judges it, and ends all its processes', async () => {
  await inFolder(async (folder) => {
    const args = [...FEW, '--start', SHELL_WITH_CHILD];
    const { code, stdout, stderr } = await runCommand(args, await target(), folder);
    expect(stderr).toBe('');
    expect(stdout).toContain('Verdict: conformant (partial).');
    expect(code).toBe(0);
    await waitForExit(join(folder, 'pid'));
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
])(
  '--start %s ends with the last lines of the service, and code 2',
  async (command, args, message) => {
    await inFolder(async (folder) => {
      const startArgs = ['--start', command, ...args];
      const { code, stdout, stderr } = await runCommand(startArgs, await target(), folder);
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain(API_KEY);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      if (existsSync(join(folder, 'pid'))) await waitForExit(join(folder, 'pid'));
    });
  },
);

// tests/docs/ci.test.ts starts the command with --reuse.
test.concurrent('--start rejects an address where a service already listens', async () => {
  const service = await start();
  await inFolder(async (folder) => {
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const args = [...FEW, '--start', 'touch started'];
    const { code, stderr } = await runCommand(args, env, folder);
    expect(stderr).toBe(
      `A service is already listening at ${service.baseUrl}: stop it, or use it with --reuse.\n`,
    );
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'started'))).toBe(false);
  }).finally(service.close);
});

test.concurrent('--start needs an address', async () => {
  await inFolder(async (folder) => {
    const { code, stderr } = await runCommand([...FEW, '--start', 'true'], {}, folder);
    expect(stderr).toMatch(/^--start needs --base-url: .*\n$/);
    expect(code).toBe(2);
  });
});

test.concurrent('a service that crashes during the run makes it inconclusive', async () => {
  await inFolder(async (folder) => {
    writeFileSync(
      join(folder, 'service.mjs'),
      `import { createServer } from 'node:http';
       let requests = 0;
       createServer((_, response) => {
         requests += 1;
         if (requests > 1) throw new Error('out of memory');
         response.end();
       }).listen(Number(process.env.PORT), '127.0.0.1');`,
    );
    const args = [...FEW, '--start', 'node service.mjs'];
    const { code, stdout, stderr } = await runCommand(args, await target(), folder);
    expect(stdout).toContain('Verdict: inconclusive');
    expect(stderr).toMatch(
      /^The service ended with exit code 1 during the run\. Its last lines.*\n/,
    );
    expect(stderr).toContain('Error: out of memory');
    expect(code).toBe(3);
  });
});

test.concurrent('a service that crashes twice on one request fails, and is restarted', async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'service.mjs'), wrapped(CRASH_ON_BASIC));
    // The shell exits later than the service.
    const args = ['--start', 'node service.mjs; code=$?; sleep 0.3; exit $code'];
    const { code, stdout, stderr } = await runCommand(args, await target(), folder);
    expect(stdout).toContain('none: the service ended with exit code 1, each time after ');
    expect(code).toBe(1);
    expect(
      stderr.match(/^The service ended with exit code 1 during the run\. Its last lines/gm),
    ).toHaveLength(1);
    expect(stderr).toContain('Error: no such scheme');
    const failed = reportIn(folder)?.requirements.filter(({ outcome }) => outcome === 'failed');
    expect(failed?.map(({ id }) => id)).toEqual(['http.survives-bad-requests']);
  });
});

/** A service that responds once. It creates a file when it receives the next request. */
const STUCK = `import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
let requests = 0;
createServer((_, response) => {
  requests += 1;
  if (requests === 1) response.end();
  else writeFileSync('stuck', '');
}).listen(Number(process.env.PORT), '127.0.0.1');`;

/** Starts the command, and interrupts it once the service has created the file `stuck`. */
async function interruptWhenStuck(folder: string, startCommand: string) {
  const args = [COMMAND, '--start', startCommand];
  const { child, ended } = startNode(args, await target(), folder);
  await waitForFile(join(folder, 'stuck'));
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  expect(code).toBe(3);
  await waitForExit(join(folder, 'pid'));
  return stdout;
}

test.concurrent('Ctrl-C before the service responds ends the service, too', async () => {
  await inFolder(async (folder) => {
    await interruptWhenStuck(folder, 'sleep 1000 & echo $! > pid; touch stuck; wait');
  });
});

test.concurrent('Ctrl-C during the run ends the service, too, and leaves reports', async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'stuck.mjs'), STUCK);
    const stdout = await interruptWhenStuck(folder, 'node stuck.mjs & echo $! > pid; wait');
    expect(stdout).toContain('the run was interrupted');
    expect(reportIn(folder)?.verdict).toBe('inconclusive');
    expect(readdirSync(join(folder, 'reports'))).toContain('junit.xml');
  });
});
