import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { NEVER_MS } from '../run.ts';
import { ROOT } from '../shell.ts';

export const API_KEY = 'Start-test_key.4711';

/** The variables of a run and of the service that it starts. */
export interface StartedTarget extends Record<string, string> {
  PORT: string;
  BASE_URL: string;
  API_KEY: string;
}

/** Returns the variables of a run that starts a service on a free port. */
export async function target(): Promise<StartedTarget> {
  const PORT = `${await freePort()}`;
  return { PORT, BASE_URL: `http://127.0.0.1:${PORT}/v1`, API_KEY };
}

/** Waits until the process whose id is in a file has exited. The system reports no such event. */
export function waitForExit(pidFile: string): Promise<void> {
  const pid = Number(readFileSync(pidFile, 'utf8'));
  return vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), {
    timeout: NEVER_MS,
  });
}

/** A statement for `wrapped` that crashes the service on each request with the scheme Basic. */
export const CRASH_ON_BASIC =
  "if (request.headers.authorization?.startsWith('Basic ')) throw new Error('no such scheme');";

/** Returns a program: the reference service, which runs a statement before each request. */
export const wrapped = (statement: string) => `import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createService } from '${pathToFileURL(join(ROOT, 'dist/reference/service.js'))}';
const { API_KEY, PORT } = process.env;
const service = createService(API_KEY);
const server = createServer((request, response) => {
  ${statement}
  service(request, response);
}).listen(Number(PORT), '127.0.0.1');`;
