import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
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

/** The folder of the suite. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const COMMAND = join(ROOT, 'bin/user-management-conformance.mjs');
export const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/** Arguments by which a run sends few requests. */
export const FEW = ['--only', 'create.location'];

/** The files and the folder that a whole run writes, sorted. */
export const REPORT_NAMES = [
  '.conformance-files',
  'allure-results',
  'badge.json',
  'conformance.json',
  'created-users.json',
  'exchanges.har',
  'junit.xml',
  'report.html',
  'run.json.gz',
  'summary.md',
];

/** The result of a process. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A process that may still run. */
export interface RunningProcess {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
}

/** Starts a Node program, with only these variables. */
export function startNode(
  args: string[],
  env: Record<string, string>,
  cwd: string,
): RunningProcess {
  return startProgram(process.execPath, args, env, cwd);
}

/** Runs a program to its end, with only these variables. */
export function run(
  program: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Ended> {
  return startProgram(program, args, env, cwd).ended;
}

/** Runs a Node program to its end, with only these variables. */
export function runNode(args: string[], env: Record<string, string>, cwd: string): Promise<Ended> {
  return run(process.execPath, args, env, cwd);
}

/** Starts a program, with only these variables. */
export function startProgram(
  program: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
): RunningProcess {
  const { PATH = '' } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME: cwd, NO_COLOR: '1', ...env } });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    out.stdout += data;
  });
  child.stderr.on('data', (data) => {
    out.stderr += data;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...out }));
  });
  return { child, ended };
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

/** A file that a run has written. */
export interface WrittenFile {
  path: string;
  /** The text of the file, unpacked. */
  content: string;
  /** The size of the file itself. */
  bytes: number;
}

/** Returns every file below a folder. */
export function filesBelow(folder: string): WrittenFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const content = readFileSync(path);
      const text = path.endsWith('.gz') ? gunzipSync(content) : content;
      return { path, content: `${text}`, bytes: content.length };
    });
}

/** Returns the content of the file with this name; an empty text if there is none. */
export function contentOf(files: WrittenFile[], name: string): string {
  return files.find(({ path }) => path.endsWith(`/${name}`))?.content ?? '';
}

/** Returns the last line of an output that is not empty. */
export function lastLineOf(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? '';
}

/** Returns the report that a run has written in a folder; undefined if there is none. */
export function reportIn(folder: string): Report | undefined {
  const file = join(folder, 'reports/conformance.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
