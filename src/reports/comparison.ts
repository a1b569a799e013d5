import type { OutcomeName } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import { appearanceOf, verdictText } from './appearance.ts';
import type { Changes } from './changed.ts';
import { changeList, changesSince, changesText } from './changes.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { chaptersOf, score } from './selection.ts';
import { dateText, inlineCode, markdownTable, markdownText, sanitizedJson } from './text.ts';

/** The reports of several implementations side by side: each list has a value for each report. */
export interface Comparison {
  reports: Report[];
  /** The paths of the pages, from the folder of the comparison. */
  links: (string | undefined)[];
  /** The changes from the first report to the second; absent unless there are exactly two. */
  changes?: Changes;
  names: string[];
  /** The facts of the runs: a label, then the values. */
  facts: string[][];
  /** The requirements by chapter. */
  requirements: ComparedRequirement[];
  /** The requirements that fail in at least one report; first those with different outcomes. */
  failed: ComparedRequirement[];
  /** The behavior that the interface leaves open; no values if a run did not observe it. */
  choices: ComparedChoice[];
}

/** A requirement with its outcome in each report; undefined if a report does not have it. */
export interface ComparedRequirement {
  name: string;
  level: Level;
  chapter: string;
  outcomes: (OutcomeName | undefined)[];
  appearances: { symbol: string; words: string }[];
  /** Whether the outcomes differ. */
  differs: boolean;
}

/** A choice of the services, with the values that each run observed. */
export interface ComparedChoice {
  name: string;
  values: string[][];
  /** Whether the values differ. */
  differs: boolean;
}

/** Compares reports in the given order. Pure. */
export function compareReports(reports: Report[], links: (string | undefined)[] = []): Comparison {
  const [first, second, ...more] = reports;
  const isPair = first !== undefined && second !== undefined && more.length === 0;
  const rows = chaptersOf(compareRequirements(reports));
  const requirements = rows.flatMap(([, chapterRows]) => chapterRows);
  return {
    reports,
    links,
    ...(isPair && { changes: changesSince(first, second) }),
    names: distinctNames(reports),
    facts: factsOf(reports),
    requirements,
    failed: requirements
      .filter(({ outcomes }) => outcomes.includes('failed') || outcomes.includes('known-failure'))
      .sort((a, b) => Number(b.differs) - Number(a.differs)),
    choices: compareChoices(reports),
  };
}

function compareRequirements(reports: readonly Report[]): ComparedRequirement[] {
  const columns = reports.map(
    ({ requirements }) => new Map(requirements.map((requirement) => [requirement.id, requirement])),
  );
  return namesIn(columns).map((name) => {
    const cells = columns.map((column) => column.get(name));
    const { level, chapter } = cells.find((cell) => cell !== undefined) as ReportedRequirement;
    const outcomes = cells.map((cell) => cell?.outcome);
    const appearances = reports.map(({ scope }, index) => {
      const cell = cells[index];
      return cell ? appearanceOf(cell, scope.strict) : { symbol: '·', words: 'not in this set' };
    });
    return { name, level, chapter, outcomes, appearances, differs: hasDifference(outcomes) };
  });
}

function compareChoices(reports: readonly Report[]): ComparedChoice[] {
  const columns = reports.map(({ observations }) => new Map(Object.entries(observations)));
  const rows = namesIn(columns).map((name) => {
    const values = columns.map((column) => column.get(name) ?? []);
    return { name, values, differs: hasDifference(values.map(String)) };
  });
  return rows.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Returns the names in all columns, without duplicates. */
const namesIn = (columns: readonly ReadonlyMap<string, unknown>[]): string[] => [
  ...new Set(columns.flatMap((column) => [...column.keys()])),
];

const hasDifference = (values: readonly unknown[]): boolean => new Set(values).size > 1;

function factsOf(reports: readonly Report[]): string[][] {
  const fact = (label: string, getValue: (report: Report) => string) => [
    label,
    ...reports.map(getValue),
  ];
  return [
    fact('verdict', verdictText),
    fact('reason', ({ because }) => because),
    fact('MUST passed', (report) => score(report, 'MUST')),
    fact('SHOULD passed', (report) => score(report, 'SHOULD')),
    fact('base address', ({ target }) => target.baseUrl),
    fact('date', ({ start }) => dateText(start)),
    fact('suite version', ({ suite }) => suite.version),
    fact('requirement set', ({ suite }) => suite.requirementSet),
  ];
}

/** Returns the names of the implementations, made unique by the address or the position. */
function distinctNames(reports: readonly Report[]): string[] {
  const names = reports.map(({ target }) => target.name);
  const isDuplicate = (all: string[], name: string) => all.indexOf(name) !== all.lastIndexOf(name);
  const withAddress = names.map((name, index) =>
    isDuplicate(names, name) ? `${name} (${reports[index]?.target.baseUrl})` : name,
  );
  return withAddress.map((name, index) =>
    isDuplicate(withAddress, name) ? `${name}, report ${index + 1}` : name,
  );
}

/** Returns the files of a comparison by name. */
export const comparisonFiles = (comparison: Comparison): Record<string, string> => ({
  'comparison.md': comparisonMarkdown(comparison),
  'comparison.json': sanitizedJson(comparisonJson(comparison)),
});

/**
 * Returns the comparison as Markdown: the facts of the runs, and the requirements that fail in at
 * least one. Reports are not trusted, so Markdown in them is escaped.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const { changes } = comparison;
  const names = comparison.names.map(markdownText);
  const facts = comparison.facts.map((row) => row.map(markdownText));
  const failed = comparison.failed.map(({ name, level, appearances }) => {
    // A pipe would end the cell, even within code.
    const slug = inlineCode(name).replaceAll('|', '\\u007c');
    return [level, slug, ...appearances.map(({ symbol, words }) => `${symbol} ${words}`)];
  });
  const parts = ['# Conformance comparison'];
  if (changes)
    parts.push(`From ${names.join(' to ')}: ${changesText(changes)}`, changeList(changes));
  parts.push(markdownTable(['', ...names], facts));
  if (failed.length === 0) parts.push('No requirement fails.');
  else parts.push(markdownTable(['level', 'requirement', ...names], failed));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * Returns the comparison as data. Each list has a value for each report; null if a report does not
 * have the requirement.
 */
export function comparisonJson(comparison: Comparison): object {
  const { reports, names, links, changes, requirements, choices } = comparison;
  return {
    reports: reports.map(({ verdict, title, target, suite, start, counts }, index) => ({
      name: names[index],
      baseUrl: target.baseUrl,
      start,
      verdict,
      title,
      counts,
      requirementSet: suite.requirementSet,
      report: links[index] ?? null,
    })),
    changes: changes ?? null,
    requirements: requirements.map(({ name, level, differs, outcomes }) => ({
      id: name,
      level,
      differs,
      outcomes: outcomes.map((outcome) => outcome ?? null),
    })),
    observations: choices,
  };
}
