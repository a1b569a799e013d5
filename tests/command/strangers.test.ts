import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createService } from '../../reference/service.ts';
import { waitForFile } from '../events.ts';
import { FEW, inFolder, ROOT } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { API_KEY, target, waitForExit, wrapped } from './started.ts';

const REFERENCE = join(ROOT, 'bin/reference.mjs');

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

describe.concurrent('a process outside the process group of the service', () => {
  test('that takes the address while the service starts is not judged, and gets no key', async () => {
    await inFolder(async (folder) => {
      const env = await target();
      const command =
        'echo coming up; echo $$ > pid; touch begun; until [ -e asked ]; do sleep 0.1; done; exit 1';
      const run = runCommand([...FEW, '--start', command], env, folder);
      await waitForFile(join(folder, 'begun'));
      const stranger = await startStranger(env.PORT, async (_, response) => {
        writeFileSync(join(folder, 'asked'), '');
        await waitForExit(join(folder, 'pid'));
        response.end('{"data": [], "total": 0}');
      });
      const { code, stdout, stderr } = await run;
      stranger.close();
      expect(stderr).toBe(
        `The service ended with exit code 1, and another process responds at ${env.BASE_URL}. Its last lines (more in reports/service.log):\n  coming up\n`,
      );
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stranger.credentials).toEqual([]);
    });
  });

  test('that listens after the service has ended is named, and the run is inconclusive', async () => {
    await inFolder(async (folder) => {
      // The service closes its port on the first request with a key, and responds after the
      // stranger has taken it.
      const leave = `if (request.headers.authorization && !existsSync('left')) {
        server.close();
        writeFileSync('left', '');
      }
      while (existsSync('left') && !existsSync('taken'));
      if (existsSync('left')) response.once('close', () => process.exit(1));`;
      writeFileSync(join(folder, 'service.mjs'), wrapped(leave));
      const env = await target();
      const run = runCommand([...FEW, '--start', 'node service.mjs'], env, folder);
      await waitForFile(join(folder, 'left'));
      const stranger = await startStranger(env.PORT, createService(API_KEY));
      writeFileSync(join(folder, 'taken'), '');
      const { code, stdout, stderr } = await run;
      stranger.close();
      expect(stderr).toContain(
        `The service ended with exit code 1 during the run, and another process listens at ${env.BASE_URL}.`,
      );
      expect(stdout).toContain('Verdict: inconclusive');
      expect(code).toBe(3);
    });
  });

  test('that the command leaves behind is no service', async () => {
    await inFolder(async (folder) => {
      // The daemon listens only after the system has reported the end of the command.
      const daemon = `import { spawn } from 'node:child_process';
        import { writeFileSync } from 'node:fs';
        const wait = 'while kill -0 ' + process.argv[2] + '; do sleep 0.1; done';
        const options = { detached: true, stdio: 'ignore' };
        const child = spawn('sh', ['-c', wait + '; exec node "${REFERENCE}"'], options);
        writeFileSync('pid', String(child.pid));
        child.unref();`;
      writeFileSync(join(folder, 'daemon.mjs'), daemon);
      const env = await target();
      const { code, stdout, stderr } = await runCommand(
        [...FEW, '--start', 'node daemon.mjs $$'],
        env,
        folder,
      );
      process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')));
      expect(stderr).toMatch(
        /^The service ended with exit code 0 before .*: the command must keep it in the foreground\./,
      );
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    });
  });
});
