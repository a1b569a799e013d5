import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createService } from '../../reference/service.ts';
import { COMMAND, inFolder } from '../shell.ts';
import { runCommand } from './kept-command.ts';
import { API_KEY, FEW, isGone, target, wrapped } from './started.ts';

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
      const run = runCommand(
        [...FEW, '--start', 'echo coming up; touch begun; sleep 1000'],
        env,
        folder,
      );
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
      const args = [...FEW, '--reuse', '--start', 'touch begun; sleep 1000'];
      const run = runCommand(args, env, folder);
      await exists(join(folder, 'begun'));
      const stranger = await listenAt(env.PORT, createService(API_KEY));
      const { code, stdout } = await run;
      stranger.close();
      expect(stdout).toMatch(/notice: .* listens at .*, which --start did not start \(--reuse\)/);
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
      const run = runCommand([...FEW, '--start', 'node service.mjs; sleep 1000'], env, folder);
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
      const args = [...FEW, '--start', 'node daemon.mjs'];
      const { code, stdout, stderr } = await runCommand(args, await target(folder), folder);
      expect(stderr).toBe('');
      expect(stdout).toContain('Verdict: conformant (partial).');
      expect(code).toBe(0);
      await isGone(join(folder, 'pid'));
    });
  });

  test.concurrent('a daemon that a request ends is started again, too', async () => {
    await inFolder(async (folder) => {
      const dies =
        "if (request.headers.authorization?.startsWith('Basic ')) throw new Error('no such scheme');";
      writeFileSync(join(folder, 'service.mjs'), wrapped(dies));
      const args = ['--start', 'setsid -f node service.mjs'];
      const { code, stdout, stderr } = await runCommand(args, await target(folder), folder);
      expect(stdout).toContain('none: the service ended, each time after ');
      expect(stderr).toMatch(/^The service ended during the run\. Its last lines/);
      expect(stderr).toContain('Error: no such scheme');
      expect(code).toBe(1);
    });
  });
});
