import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Report } from '../src/reports/report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const COMMAND = join(ROOT, 'bin/user-management-conformance.mjs');
export const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/** The result of a process. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, with only these variables. */
export function run(
  program: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH = '' } = process.env;
    const child = spawn(program, args, { cwd, env: { PATH, HOME: cwd, NO_COLOR: '1', ...env } });
    const out = { stdout: '', stderr: '' };
    child.stdout.on('data', (data) => {
      out.stdout += data;
    });
    child.stderr.on('data', (data) => {
      out.stderr += data;
    });
    child.on('close', (code) => resolve({ code, ...out }));
  });
}

/** Runs a Node program to its end, with only these variables. */
export function runNode(args: string[], env: Record<string, string>, cwd: string): Promise<Ended> {
  return run(process.execPath, args, env, cwd);
}

/** Calls a function with an empty folder, which is removed afterwards. */
export async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs the command in a folder, where npm would put it. */
export function installCommand(folder: string): void {
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const link = join(bin, 'user-management-conformance');
  if (!existsSync(link)) symlinkSync(COMMAND, link);
}

/** Returns every file below a folder. `content` is unpacked, `bytes` is the size of the file. */
export function filesBelow(folder: string): { path: string; content: string; bytes: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const content = readFileSync(path);
      const text = path.endsWith('.gz') ? gunzipSync(content) : content;
      return { path, content: `${text}`, bytes: content.length };
    });
}

/** Returns the report that a run has written in a folder; undefined if there is none. */
export function reportIn(folder: string): Report | undefined {
  const file = join(folder, 'reports/conformance.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
