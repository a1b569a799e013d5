import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import type { Running } from '../services/listen.ts';
import type { Implementation } from './implementations.ts';

const API_KEY = 'Wild-Key-4711-aBc';

/** Compiles an implementation if necessary. Returns the folder of the result. */
export function build({ build: command }: Implementation): string {
  const out = mkdtempSync(join(tmpdir(), 'wild-'));
  if (command) {
    const [file = '', ...args] = command.map((part) => part.replaceAll('{out}', out));
    execFileSync(file, args, {
      stdio: 'pipe',
      env: { ...process.env, GOCACHE: join(out, 'go'), GO111MODULE: 'off' },
    });
  }
  return out;
}

/** Starts an implementation, with one of its mistakes or without, and waits until it responds. */
export async function startImplementation(
  { start }: Implementation,
  out: string,
  mistake = '',
): Promise<Running> {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), 'wild-data-'));
  const [file = '', ...args] = start.map((part) => part.replaceAll('{out}', out));
  const env = {
    ...process.env,
    PORT: `${port}`,
    API_KEY,
    MISTAKE: mistake,
    DATA: data,
    NODE_ENV: 'production',
  };
  const child = spawn(file === 'node' ? process.execPath : file, args, {
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr = `${stderr}${text}`.slice(-2000);
  });
  const close = async () => {
    await end(child);
    rmSync(data, { recursive: true, force: true });
  };
  while (!(await isResponding(port))) {
    if (child.exitCode === null) continue;
    rmSync(data, { recursive: true, force: true });
    throw new Error(`it ended with ${child.exitCode}: ${stderr}`);
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: API_KEY, close };
}

function isResponding(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: '/', agent: false }, (response) => {
      response.resume().on('end', () => resolve(true));
    });
    sent.on('error', () => setTimeout(resolve, 50, false)).end();
  });
}

/** Ends the process and its workers. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-(child.pid as number), 'SIGKILL');
  await ended;
}
