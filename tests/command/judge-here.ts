import { join } from 'node:path';
import type { JudgeSettings } from '../../src/api/judge.ts';
import { judge } from '../../src/api/judge.ts';
import { type Patch, start } from '../services/service.ts';
import { filesBelow, inFolder } from '../shell.ts';

/** Judges a patched service in this process, with all reports: for what is no matter of the command. */
export async function judgeHere(patch: Patch, settings: Partial<JudgeSettings> = {}) {
  const { baseUrl, apiKey, close } = await start(patch);
  return inFolder(async (folder) => {
    const reportDir = join(folder, 'reports');
    // What is broken is broken at once.
    const report = await judge({ baseUrl, apiKey, reportDir, settleMs: 200, ...settings });
    const files = filesBelow(folder);
    const page = files.find(({ path }) => path.endsWith('/report.html'))?.content ?? '';
    return { report, files, page, apiKey, baseUrl };
  }).finally(close);
}
