import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sanitizeLine } from '../reports/text.ts';
import { environmentWithoutSecrets } from '../settings/variables.ts';

/** The programs that open a file in its default application. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file in the browser, which does not get the key. Prints the path if that fails. */
export async function open(path: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const env = environmentWithoutSecrets();
  const child = spawn(program, [...args, path], { detached: true, stdio: 'ignore', env });
  const isStarted = await once(child, 'spawn').catch(() => false);
  child.unref();
  if (!isStarted)
    process.stderr.write(`${sanitizeLine(`${program} is missing: open ${path} yourself.`)}\n`);
}
