import { appendFileSync, statSync } from 'node:fs';
import { SUMMARY_LIMIT } from '../../settings/limits.ts';
import { attempt } from '../replace-file.ts';
import type { Report } from '../report.ts';
import { markdown } from '../summary.ts';
import { outputs } from './outputs.ts';

/**
 * Writes the job summary and, unless the suite itself failed and so has no verdict that a later step could act on, the
 * outputs of the step to where GitHub Actions asks for them; elsewhere it does nothing.
 * Returns a sentence for each that could not be written.
 */
export function tellGitHub(report: Report, reportDir: string, suiteFailed: boolean): string[] {
  const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;
  return [
    ...attempt('The job summary', () => {
      if (!GITHUB_STEP_SUMMARY) return;
      // The limit is that of the step, which may run the command several times.
      const taken = statSync(GITHUB_STEP_SUMMARY, { throwIfNoEntry: false })?.size ?? 0;
      appendFileSync(GITHUB_STEP_SUMMARY, markdown(report, SUMMARY_LIMIT - taken));
    }),
    ...attempt("The step's output", () => {
      if (GITHUB_OUTPUT && !suiteFailed) appendFileSync(GITHUB_OUTPUT, outputs(report, reportDir));
    }),
  ];
}
