import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitForFile } from '../events.ts';
import { COMMAND, FEW, inFolder, reportIn, startNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { CRASH_ON_BASIC, target, waitForExit, wrapped } from './started.ts';

// golden/start.txt has services that end or do not respond at the start.

test.concurrent('a crash at the start shows the error, and not only its stack', async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'service.mjs'), "import 'koa-is-missing';");
    const args = [...FEW, '--start', 'node service.mjs'];
    const { code, stderr } = await runCommand(args, await target(), folder);
    expect(stderr).toMatch(/^ {2}Error .*: Cannot find package 'koa-is-missing'/m);
    expect(stderr).toMatch(/\n {2}Node\.js v.*\n$/);
    expect(code).toBe(2);
  });
});

test.concurrent('a command that the system can not run is an error of one sentence', async () => {
  await inFolder(async (folder) => {
    const args = [...FEW, '--start', `true ${'x'.repeat(2 ** 18)}`];
    const { code, stdout, stderr } = await runCommand(args, await target(), folder);
    expect(stderr).toBe("The command of --start can't be run (argument list too long).\n");
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
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
