import type { Report } from '../../src/reports/report.ts';
import { type Patch, start } from '../services/service.ts';
import { type Ended, filesBelow, inFolder, reportIn, type WrittenFile } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** The result of the command, the files that it wrote, and the service that it judged. */
export interface JudgedByCommand extends Ended {
  report: Report | undefined;
  files: WrittenFile[];
  apiKey: string;
  baseUrl: string;
}

/** Judges a patched service by the command, in an empty folder. */
export async function judgeByCommand(
  patch: Patch,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<JudgedByCommand> {
  const { baseUrl, apiKey, close } = await start(patch);
  const target = { BASE_URL: baseUrl, API_KEY: apiKey };
  return inFolder(async (folder) => {
    const ended = await runCommand(args, { ...target, ...env }, folder);
    return { ...ended, report: reportIn(folder), files: filesBelow(folder), apiKey, baseUrl };
  }).finally(close);
}
