import { counted } from '../verdict/verdict.ts';
import { type Style, verdictStyle } from './appearance.ts';
import type { Report } from './report.ts';
import { failures, isLimited, limitsOf, score } from './selection.ts';
import { abbreviateList } from './text.ts';

/** The most failed requirements that the badge names: it is a single line. */
const MAX_NAMES = 3;

/** The data of a badge on shields.io (an "endpoint badge"). */
export interface Badge {
  schemaVersion: 1;
  label: string;
  message: string;
  color: string;
}

/** The colors of the badge by the style of the verdict. */
const COLORS: Record<Style, string> = {
  red: 'red',
  green: 'green',
  yellow: 'yellow',
  cyan: 'lightgrey',
  gray: 'lightgrey',
};

/** Makes the badge of a run, which is yellow if the only failures are known ones. Pure. */
export function badge(report: Report): Badge {
  const parts = isLimited(report.scope) ? limitedParts(report) : wholeParts(report);
  const failing = failures(report).failing.map(({ id }) => id);
  if (failing.length > 0) parts.push(`failed: ${abbreviateList(failing, MAX_NAMES)}`);
  const isYellow = report.verdict === 'conformant' && countKnown(report) > 0;
  return {
    schemaVersion: 1,
    label: 'User Management conformance',
    message: parts.join(', '),
    color: COLORS[isYellow && !isLimited(report.scope) ? 'yellow' : verdictStyle(report)],
  };
}

const countKnown = ({ counts }: Report): number =>
  counts.MUST['known-failure'] + counts.SHOULD['known-failure'];

function wholeParts(report: Report): string[] {
  const parts = [report.title, `${score(report, 'MUST')} MUST`];
  if (report.scope.strict) parts.push(`${score(report, 'SHOULD')} SHOULD`);
  return parts;
}

/** Returns the parts for a run on a part of the interface, which never look like the whole. */
function limitedParts(report: Report): string[] {
  const { scope, counts, verdict } = report;
  const limits = limitsOf(scope).join(', ');
  const passed = (['MUST', 'SHOULD'] as const)
    .filter((level) => counts[level].passed > 0)
    .map((level) => `${counts[level].passed} ${level}`);
  const parts = [`${limits}: ${passed.join(' and ') || 'nothing'} passed`];
  const known = countKnown(report);
  if (known > 0) parts.push(counted(known, 'known failure'));
  if (verdict === 'inconclusive') parts.push(verdict);
  return parts;
}
