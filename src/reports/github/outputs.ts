import { join } from 'node:path';
import { failures, type Report } from '../report.ts';
import { inertLine } from '../text.ts';

/** A run as the outputs of a step of GitHub Actions, a line each for the file that GITHUB_OUTPUT names. No value can add a line. */
export function outputs(report: Report, reportDir: string): string {
  const { failing, warnings } = failures(report);
  const slugs = (rows: { id: string }[]) => rows.map(({ id }) => id).join(' ');
  const counts = Object.entries(report.counts).flatMap(([level, outcomes]) =>
    Object.entries(outcomes).map(([outcome, count]) => [`${level.toLowerCase()}-${outcome}`, `${count}`] as const),
  );
  const rows = [
    ['verdict', report.title],
    ['because', report.because],
    ...counts,
    ['failed', slugs(failing)],
    ['warnings', slugs(warnings)],
    ['report', join(reportDir, 'conformance.json')],
    ['report-dir', reportDir],
  ] as const;
  return rows.map(([name, value]) => `${name}=${inertLine(value)}\n`).join('');
}
