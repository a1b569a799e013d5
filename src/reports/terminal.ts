import { join, relative } from 'node:path';
import { appearanceOf, countKinds, countsText, verdictStyle } from './appearance.ts';
import { changeRows, changesText } from './changes.ts';
import { dependentsLines, findingText, rowsText } from './finding-text.ts';
import type { NextCommand } from './next-command.ts';
import type { Changes, Report, ReportedRequirement } from './report.ts';
import {
  depthRows,
  HEADINGS,
  linesToChange,
  notVerifiedReasons,
  numberRows,
  obstacleRows,
} from './rows.ts';
import { type Screen, wrap } from './screen.ts';
import { chaptersOf, findingsOf, openRequirements, selectedRequirements } from './selection.ts';
import { abbreviateList, sanitizeLine } from './text.ts';

/** The parts of a run to print: chapters with findings, all requirements, or only the verdict. */
export type Detail = 'chapters' | 'all' | 'verdict';

/** Returns the end of a run: its chapters, the numbers and the verdict. */
export function closingText(
  report: Report,
  reportDir: string,
  screen: Screen,
  detail: Detail = 'chapters',
  command?: NextCommand,
): string {
  const parts: string[] = [];
  if (detail !== 'verdict') {
    parts.push(chaptersText(report, screen, detail, command));
    parts.push(section(HEADINGS.notVerified, notVerifiedText(report, screen), screen));
  }
  parts.push(section(HEADINGS.knownFailures, toChangeText(report, screen), screen));
  if (detail !== 'verdict') {
    parts.push(rowsText(obstacleRows(report), screen, 2));
    parts.push(numbersText(report, reportDir, screen));
  }
  // A user must not mistake this verdict for that of their own service.
  if (report.target.embeddedReference) parts.push(wrap(EMBEDDED, screen.width, 0));
  // The verdict is last, because people read the end of a log first.
  parts.push(verdictLine(report, screen));
  return parts.filter((part) => part !== '').join('\n\n');
}

const EMBEDDED =
  'This was the embedded reference service: set BASE_URL and API_KEY to judge yours.';

const section = (title: string, text: string, { paint }: Screen): string =>
  text === '' ? '' : `${paint('bold', title)}\n${text}`;

/** Returns the chapters, those with findings first. */
function chaptersText(
  report: Report,
  screen: Screen,
  detail: Detail,
  command: NextCommand | undefined,
): string {
  const findings = findingsOf(report);
  const open = openRequirements(report);
  // A chapter is omitted if the reason of the verdict also explains all its outcomes.
  const isShown = (requirement: ReportedRequirement) =>
    requirement.outcome !== 'not-verified' || open.includes(requirement) || !report.obstacle;
  const rows = new Set([...findings, ...selectedRequirements(report)]);
  const chapters = chaptersOf([...rows]).filter(([, requirements]) => requirements.some(isShown));
  const lines = chapters.flatMap(([title, requirements]) => {
    const texts = requirements.flatMap((requirement) => {
      const isWarning = appearanceOf(requirement, report.scope.strict).kind === 'warning';
      const isFinding = findings.includes(requirement);
      if (isFinding && !(isWarning && detail === 'chapters'))
        return findingText(requirement, report, screen, { command });
      return isFinding || detail === 'all' ? requirementLines(requirement, report, screen) : [];
    });
    // A blank line separates findings from the next chapter.
    const end = requirements.some((requirement) => findings.includes(requirement)) ? [''] : [];
    return [chapterLine(title, requirements, report.scope.strict, screen), ...texts, ...end];
  });
  return lines.join('\n').trimEnd();
}

/** Returns `✓ Authentication 25` or `✗ Authentication 1 failed, 24 passed`. */
function chapterLine(
  title: string,
  requirements: readonly ReportedRequirement[],
  strict: boolean,
  { paint }: Screen,
): string {
  const counts = countKinds(requirements, strict);
  // The most important kind is first.
  const [symbol] = counts.map((count) => paint(count.style, count.symbol));
  const isPassed = counts.every(({ kind }) => kind === 'passed');
  const text = isPassed
    ? paint('green', `${requirements.length}`)
    : paint('gray', countsText(requirements, strict));
  return `${symbol} ${paint('bold', sanitizeLine(title))} ${text}`;
}

/** The most characters of a reason on the line of its requirement. */
const MAX_REASON = 110;

/** Returns the line of a requirement without its details, and its dependents below it. */
function requirementLines(
  requirement: ReportedRequirement,
  report: Report,
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  const { symbol, style } = appearanceOf(requirement, report.scope.strict);
  const { id, level, reason, expected = '', got } = requirement;
  const name = `  ${symbol} ${level.padEnd(6)} ${id}`;
  const limit = Math.min(MAX_REASON, width - name.length - 2);
  // A long expected value would leave no place for the received one.
  const isLong = got !== undefined && expected.length + got.length > limit;
  const text = sanitizeLine(isLong ? `got ${got}` : reason);
  const isCut = text.length > limit;
  const shown = isCut ? `${text.slice(0, Math.max(0, limit - 1)).trimEnd()}…` : text;
  const line = `${paint(style, name)}  ${paint('gray', shown)}`.trimEnd();
  return [line, ...dependentsLines(requirement, report, screen)];
}

/**
 * Returns a line for each known failure that is out of date. It begins with the file and the line,
 * which terminals and editors then show as a link.
 */
export const toChangeText = (report: Report, { width }: Screen): string =>
  linesToChange(report)
    .map((line) => wrap(sanitizeLine(line), width, 4))
    .join('\n');

/** Returns the reasons for which requirements could not be verified, each with its slugs and request. */
export function notVerifiedText(report: Report, screen: Screen): string {
  const { paint, width } = screen;
  const texts = notVerifiedReasons(report).map(({ reason, slugs, rows }) => {
    const head = `  ${paint('cyan', `? ${wrap(sanitizeLine(reason), width, 4)}`)}`;
    const names = `    ${paint('gray', wrap(abbreviateList(slugs), width, 4))}`;
    return [head, names, rowsText(rows, screen)].filter((line) => line !== '').join('\n');
  });
  return texts.join('\n');
}

function numbersText(report: Report, reportDir: string, screen: Screen): string {
  const rows = numberRows(report);
  const depth = depthRows(report).map(({ label, text }) => `${label} ${text}`);
  if (depth.length > 0) rows.push({ label: 'thorough', text: depth.join('; ') });
  const path = join(relative(process.cwd(), reportDir), 'report.html');
  rows.push({ label: 'reports', text: path, isCommand: true });
  return rowsText(rows, screen, 2);
}

function verdictLine(report: Report, { paint, width }: Screen): string {
  const head = `Verdict: ${report.title}`;
  const line = wrap(`${head}. ${sanitizeLine(report.because)}`, width, 2);
  const title = paint(verdictStyle(report), paint('bold', report.title));
  return `${paint('bold', 'Verdict:')} ${title}${line.slice(head.length)}`;
}

/** Returns the changes since an earlier run: all new failures, and some of the others. */
export function changesSummary(
  title: string,
  changes: Changes,
  { paint, width }: Screen,
  detail: Detail,
): string {
  const head = `${paint('bold', `${sanitizeLine(title)}:`)} ${changesText(changes)}`;
  if (detail === 'verdict') return head;
  const rows = changeRows(changes).flatMap(({ name, slugs, style }) => {
    const names = name === 'new failure' ? slugs.join(', ') : abbreviateList(slugs);
    return [`  ${paint(style, name)}`, `    ${wrap(sanitizeLine(names), width, 4)}`];
  });
  return [head, ...rows].join('\n');
}
