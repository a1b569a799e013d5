import type { Level } from '../requirement/requirement.ts';
import { type Report, score } from './report.ts';

/** What shields.io makes a badge of (its "endpoint badge"). */
export interface Badge {
  schemaVersion: 1;
  label: string;
  message: string;
  color: 'green' | 'yellow' | 'red' | 'lightgrey';
}

/** The badge of a report. Pure. Yellow: it conforms but for failures that are known. */
export function badge(report: Report): Badge {
  const levels: Level[] = report.scope.strict ? ['MUST', 'SHOULD'] : ['MUST'];
  const known = Object.values(report.counts).some((count) => count['known-failure'] > 0);
  const colors = {
    conformant: known ? 'yellow' : 'green',
    'non-conformant': 'red',
    inconclusive: 'lightgrey',
  } as const;
  return {
    schemaVersion: 1,
    label: 'User Management conformance',
    message: [report.title, ...levels.map((level) => `${score(report, level)} ${level}`)].join(', '),
    color: colors[report.verdict],
  };
}
