import type { Ended } from '../shell.ts';
import { runCommand } from './kept-command.ts';

export const API_KEY = 'Init-key_of $4711';
export const BASE_URL = 'https://api.example.com/v1';

/** Arguments for a deployed service. */
export const ADDRESS = ['--base-url', BASE_URL];

/** Arguments that write a workflow for GitHub Actions. */
export const GITHUB = ['--ci', 'github', '--action', 'us/suite@v1'];

/** Runs `init` in a folder. */
export function init(
  args: string[],
  folder: string,
  env: Record<string, string> = { API_KEY },
): Promise<Ended> {
  return runCommand(['init', ...args], env, folder);
}
