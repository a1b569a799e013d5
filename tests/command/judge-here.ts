import { join } from 'node:path';
import { type JudgeSettings, judge } from '../../src/api/judge.ts';
import type { Report } from '../../src/reports/report.ts';
import { type Patch, start } from '../services/service.ts';
import { contentOf, filesBelow, inFolder, type WrittenFile } from '../shell.ts';

/** A report, the files of the run, and the service that it judged. */
export interface JudgedHere {
  report: Report;
  files: WrittenFile[];
  /** The text of `report.html`. */
  page: string;
  apiKey: string;
  baseUrl: string;
}

/** Judges a patched service in this process and writes all reports, without the command. */
export async function judgeHere(
  patch: Patch,
  settings: Partial<JudgeSettings> = {},
): Promise<JudgedHere> {
  const { baseUrl, apiKey, close } = await start(patch);
  return inFolder(async (folder) => {
    const reportDir = join(folder, 'reports');
    // No service in these tests is stale, so a longer settle time would only cost time.
    const report = await judge({ baseUrl, apiKey, reportDir, settleMs: 200, ...settings });
    const files = filesBelow(folder);
    return { report, files, page: contentOf(files, 'report.html'), apiKey, baseUrl };
  }).finally(close);
}
