import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../report.ts';
import { badge } from './badge.ts';
import { har, type TracedExchange } from './har.ts';
import { markdown } from './summary.ts';

/** Writes the suite's own reports into a directory, and the summary to where a CI asks for it. */
export function writeReports(report: Report, traced: TracedExchange[], directory: string): void {
  const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'conformance.json'), json(report));
  writeFileSync(join(directory, 'exchanges.har'), json(har(traced, report)));
  writeFileSync(join(directory, 'badge.json'), json(badge(report)));
  const summary = markdown(report);
  writeFileSync(join(directory, 'summary.md'), summary);
  const jobSummary = process.env.GITHUB_STEP_SUMMARY;
  if (jobSummary) appendFileSync(jobSummary, summary);
}
