import { spawn } from 'node:child_process';
import { inertLine } from '../reports/text.ts';

/** The programs that open a file as a double click does. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file in the browser, which does not get the key; says where the file is when it can't. */
export async function open(path: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const { API_KEY: _, CONFORMANCE_HEADERS: __, ...env } = process.env;
  const child = spawn(program, [...args, path], { detached: true, stdio: 'ignore', env });
  const failed = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(false)).once('error', () => resolve(true));
  });
  child.unref();
  if (failed) process.stderr.write(`${inertLine(`${program} is missing: open ${path} yourself.`)}\n`);
}
