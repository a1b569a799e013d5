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

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, with no variables but these. */
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

/** The same for a program of Node's. */
export function runNode(args: string[], env: Record<string, string>, cwd: string): Promise<Ended> {
  return run(process.execPath, args, env, cwd);
}

/** An empty folder that is gone after the action. */
export async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts the command where npm does when the package is installed in a folder. */
export function installCommand(folder: string): void {
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const link = join(bin, 'user-management-conformance');
  if (!existsSync(link)) symlinkSync(COMMAND, link);
}

/** Every file below a folder: its path, its content, unpacked, and the bytes that it takes. */
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

/** The report that a run in a folder has written, or undefined. */
export function reportIn(folder: string): Report | undefined {
  const file = join(folder, 'reports/conformance.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
