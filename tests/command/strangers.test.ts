import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createService } from '../../reference/service.ts';
import { waitForFile } from '../events.ts';
import { FEW, inFolder, ROOT } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { API_KEY, CRASH_ON_BASIC, target, waitForExit, wrapped } from './started.ts';

/** A server that the command did not start, at the address of the service. */
interface Stranger {
  /** The values of Authorization that it received. */
  credentials: string[];
  close: () => void;
}

/** Listens on the port of a service that the command starts. */
async function startStranger(port: string, handle: RequestListener): Promise<Stranger> {
  const credentials: string[] = [];
  const server = createServer((request, response) => {
    if (request.headers.authorization) credentials.push(request.headers.authorization);
    handle(request, response);
  });
  await new Promise<void>((listening) => server.listen(Number(port), '127.0.0.1', listening));
  return { credentials, close: () => server.close() };
}

describe.runIf(existsSync('/proc/net/tcp'))('with the owners of ports known', () => {
  test.concurrent('a stranger that takes the address is not judged, and gets no key', async () => {
    await inFolder(async (folder) => {
      const env = await target();
      const args = [...FEW, '--start', 'echo coming up; touch begun; sleep 1000'];
      const run = runCommand(args, env, folder);
      await waitForFile(join(folder, 'begun'));
      const stranger = await startStranger(env.PORT, (_, response) =>
        response.end('{"data": [], "total": 0}'),
      );
      const { code, stdout, stderr } = await run;
      stranger.close();
      expect(stderr).toMatch(
        /^Instead of the service .* \(pid \d+\) listens at .*, which --start did not start\. Its last/,
      );
      expect(stderr).toContain(`(pid ${process.pid})`);
      expect(stderr).toContain('\n  coming up\n');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stranger.credentials).toEqual([]);
    });
  });

  test.concurrent('with --reuse the stranger is judged, and a notice names it', async () => {
    await inFolder(async (folder) => {
      const env = await target();
      const args = [...FEW, '--reuse', '--start', 'touch begun; sleep 1000'];
      const run = runCommand(args, env, folder);
      await waitForFile(join(folder, 'begun'));
      const stranger = await startStranger(env.PORT, createService(API_KEY));
      const { code, stdout } = await run;
      stranger.close();
      expect(stdout).toMatch(/notice: .* listens at .*, which --start did not start \(--reuse\)/);
      expect(code).toBe(0);
    });
  });

  test.concurrent('a stranger that listens at the end makes the run inconclusive', async () => {
    await inFolder(async (folder) => {
      // The service closes its port on the first request with a key, and responds after the
      // stranger has taken it.
      const leave = `if (request.headers.authorization && !existsSync('left')) {
        server.close();
        writeFileSync('left', '');
      }
      while (existsSync('left') && !existsSync('taken'));`;
      writeFileSync(join(folder, 'service.mjs'), wrapped(leave));
      const env = await target();
      const args = [...FEW, '--start', 'node service.mjs; sleep 1000'];
      const run = runCommand(args, env, folder);
      await waitForFile(join(folder, 'left'));
      const stranger = await startStranger(env.PORT, createService(API_KEY));
      writeFileSync(join(folder, 'taken'), '');
      const { code, stdout } = await run;
      stranger.close();
      expect(stdout).toMatch(/at the end of the run .* listens at .*, which --start did not start/);
      expect(stdout).toContain('Verdict: inconclusive');
      expect(code).toBe(3);
    });
  });

  test.concurrent('a daemon with its own session is judged, and ended', async () => {
    await inFolder(async (folder) => {
      const daemon = `import { spawn } from 'node:child_process';
        import { writeFileSync } from 'node:fs';
        const options = { detached: true, stdio: 'ignore' };
        const child = spawn(process.execPath, ['${join(ROOT, 'bin/reference.mjs')}'], options);
        writeFileSync('pid', String(child.pid));
        child.unref();`;
      writeFileSync(join(folder, 'daemon.mjs'), daemon);
      const args = [...FEW, '--start', 'node daemon.mjs'];
      const { code, stdout, stderr } = await runCommand(args, await target(), folder);
      expect(stderr).toBe('');
      expect(stdout).toContain('Verdict: conformant (partial).');
      expect(code).toBe(0);
      await waitForExit(join(folder, 'pid'));
    });
  });

  test.concurrent('a daemon that crashes on a request is restarted, too', async () => {
    await inFolder(async (folder) => {
      writeFileSync(join(folder, 'service.mjs'), wrapped(CRASH_ON_BASIC));
      const args = ['--start', 'setsid -f node service.mjs'];
      const { code, stdout, stderr } = await runCommand(args, await target(), folder);
      expect(stdout).toContain('none: the service ended, each time after ');
      expect(stderr).toMatch(/^The service ended during the run\. Its last lines/);
      expect(stderr).toContain('Error: no such scheme');
      expect(code).toBe(1);
    });
  });
});
