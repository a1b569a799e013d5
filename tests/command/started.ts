import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { COMMAND } from '../shell.ts';

export const API_KEY = 'Start-test_key.4711';
export const FEW = ['--only', 'create.location'];

/** What a run in a folder needs, with a port for the service that it starts. */
export async function target(folder: string) {
  const PORT = `${await freePort()}`;
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PORT,
    BASE_URL: `http://127.0.0.1:${PORT}/v1`,
    API_KEY,
  };
}

/** Waits until the process whose number stands in a file is gone. */
export const isGone = (file: string) =>
  vi.waitFor(
    () => expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow('ESRCH'),
    90_000,
  );

/** The reference service, and what comes before it gets a request. */
export const wrapped = (before: string) => `import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createService } from '${pathToFileURL(join(COMMAND, '../../dist/reference/service.js'))}';
const { API_KEY, PORT } = process.env;
const service = createService(API_KEY);
const server = createServer((request, response) => {
  ${before}
  service(request, response);
}).listen(Number(PORT), '127.0.0.1');`;
