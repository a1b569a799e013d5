import { appearanceOf, LEGEND, verdictText } from './appearance.ts';
import { changesSince, changesText, isFailure } from './changes.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { chaptersOf, score } from './selection.ts';
import { dateText, inlineCode, markdownTable, markdownText } from './text.ts';

/** Runs side by side, in the order of time: each list has a value for each run. */
export interface Comparison {
  reports: Report[];
  /** The dates of the runs, or their names if these differ. */
  heads: string[];
  /** The requirements that fail in at least one run, by chapter. */
  failed: ComparedRequirement[];
}

/** A requirement and its outcomes. */
export interface ComparedRequirement {
  slug: string;
  level: string;
  /** The symbol of each outcome; `·` for a run that does not have the requirement. */
  symbols: string[];
  /** The head of the run since which it has not passed again; empty if it has. */
  since: string;
}

/** Compares runs of one implementation or of several. Pure. */
export function compareReports(unsorted: readonly Report[]): Comparison {
  const reports = [...unsorted].sort((a, b) => a.start.localeCompare(b.start));
  const heads = headsOf(reports);
  const columns = reports.map(
    ({ requirements }) => new Map(requirements.map((row) => [row.id, row])),
  );
  const known = new Map(columns.flatMap((column) => [...column]));
  const rows = chaptersOf([...known.values()]).flatMap(([, chapterRows]) => chapterRows);
  const failed = rows.flatMap(({ id: slug, level }): ComparedRequirement[] => {
    const cells = columns.map((column) => column.get(slug));
    const outcomes = cells.map((cell) => cell?.outcome);
    if (!outcomes.some(isFailure)) return [];
    const symbols = cells.map((cell, index) => symbolOf(cell, reports[index]?.scope.strict));
    const held = outcomes.lastIndexOf('passed');
    const since = heads[outcomes.findIndex((outcome, at) => at > held && isFailure(outcome))] ?? '';
    return [{ slug, level, symbols, since }];
  });
  return { reports, heads, failed };
}

const symbolOf = (cell: ReportedRequirement | undefined, isStrict = false): string =>
  cell === undefined ? '·' : appearanceOf(cell, isStrict).symbol;

/** Returns the dates of runs of one implementation, otherwise the names, with dates where needed. */
function headsOf(reports: readonly Report[]): string[] {
  const names = reports.map(({ target }) => target.name);
  const isSame = new Set(names).size === 1;
  return reports.map(({ target: { name }, start }) => {
    if (isSame && reports.length > 1) return dateText(start);
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}, ${dateText(start)}`;
  });
}

/**
 * Returns the comparison as a table in Markdown: the facts of the runs, and the requirements that
 * fail in at least one. Reports are not trusted, so Markdown in them is escaped.
 */
export function comparisonMarkdown({ reports, heads, failed }: Comparison): string {
  const fact = (label: string, cell: (report: Report, index: number) => string) => [
    label,
    ...reports.map((report, index) => markdownText(cell(report, index))),
    '',
  ];
  const facts = [
    fact('verdict', verdictText),
    fact('MUST passed', (report) => score(report, 'MUST')),
    fact('SHOULD passed', (report) => score(report, 'SHOULD')),
    fact('changes', (report, index) => changesInWords(reports[index - 1], report)),
    fact('base address', ({ target }) => target.baseUrl),
    fact('date', ({ start }) => dateText(start)),
    fact('suite version', ({ suite }) => suite.version),
    fact('requirement set', ({ suite }) => suite.requirementSet),
  ];
  const rows = failed.map(({ slug, level, symbols, since }) => {
    // A pipe would end the cell, even within code.
    const name = inlineCode(slug).replaceAll('|', '\\u007c');
    return [`${level} ${name}`, ...symbols, markdownText(since)];
  });
  const head = ['', ...heads.map(markdownText), 'fails since'];
  return `# Conformance comparison\n\n${markdownTable(head, [...facts, ...rows])}\n\n${LEGEND}, · not in the set\n`;
}

const changesInWords = (before: Report | undefined, after: Report): string =>
  before === undefined ? '' : changesText(changesSince(before, after));
