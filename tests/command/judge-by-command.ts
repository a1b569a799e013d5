import { type Patch, start } from '../services/service.ts';
import { filesBelow, inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** Judges a patched service by the command, in an empty folder. */
export async function judgeByCommand(
  patch: Patch,
  env: Record<string, string> = {},
  args: string[] = [],
) {
  const service = await start(patch);
  const { baseUrl: BASE_URL, apiKey: API_KEY } = service;
  try {
    return await inFolder(async (folder) => {
      const ended = await runCommand(args, { BASE_URL, API_KEY, ...env }, folder);
      const report = reportIn(folder);
      const files = filesBelow(folder);
      return { ...ended, report, files, apiKey: API_KEY, baseUrl: BASE_URL };
    });
  } finally {
    await service.close();
  }
}
