import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../report.ts';
import { badge } from './badge.ts';
import { har, type TracedExchange } from './har.ts';
import { markdown } from './summary.ts';

/** Writes the suite's own reports into a directory, which is made where it is not there. */
export function writeReports(report: Report, traced: TracedExchange[], directory: string): void {
  const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'conformance.json'), json(report));
  writeFileSync(join(directory, 'exchanges.har'), json(har(traced, report)));
  writeFileSync(join(directory, 'badge.json'), json(badge(report)));
  writeFileSync(join(directory, 'summary.md'), markdown(report));
}
