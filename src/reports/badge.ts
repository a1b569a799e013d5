import type { Level } from '../requirement/requirement.ts';
import { type Report, score } from './report.ts';

/** What shields.io makes a badge of (its "endpoint badge"). Pure. Yellow: it conforms but for failures that are known. */
export function badge(report: Report) {
  const levels: Level[] = report.scope.strict ? ['MUST', 'SHOULD'] : ['MUST'];
  const known = Object.values(report.counts).some((count) => count['known-failure'] > 0);
  const colors = { conformant: known ? 'yellow' : 'green', 'non-conformant': 'red', inconclusive: 'lightgrey' };
  return {
    schemaVersion: 1,
    label: 'User Management conformance',
    message: [report.title, ...levels.map((level) => `${score(report, level)} ${level}`)].join(', '),
    color: colors[report.verdict],
  };
}
