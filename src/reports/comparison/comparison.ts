import type { Level } from '../../requirement/requirement.ts';
import { look } from '../finding-text.ts';
import { OUTCOMES, type Report, type ReportedRequirement } from '../report.ts';
import { observationRows, requirementRows } from '../side-by-side.ts';
import { type Changes, changesSince } from '../since.ts';

const NOT_IN_SET = 'not in this set';

/** One row of a comparison: a name, and a value for each implementation. */
export interface Row<T> {
  name: string;
  values: T[];
}

/** A requirement as the reports show it; undefined where a report's set of requirements does not have it. */
export interface RequirementRow extends Row<ReportedRequirement | undefined> {
  level: Level;
  sentence: string;
  /** Whether the implementations differ in its outcome. */
  differs: boolean;
  /** Whether one of them fails it, known or not. */
  failed: boolean;
}

/** What the reports of several implementations say, side by side: in each row a value for each implementation. */
export interface Comparison {
  reports: Report[];
  /** The implementations' names, no two of them the same. */
  names: string[];
  /** Where the page of each report is, from the folder of the comparison; undefined where there is none. */
  links: (string | undefined)[];
  /** Of two reports: what is different in the second. */
  changes?: Changes;
  /** Sentences on what makes the reports less comparable. */
  notices: string[];
  facts: Row<string | number>[];
  totals: Row<number>[];
  chapters: { title: string; rows: RequirementRow[] }[];
  /** Which freedoms of the interface each uses; an empty value where the run did not see it. */
  freedoms: Row<string[]>[];
}

/** Compares the reports, in the order in which they are given; `links` lead to their pages. Pure. */
export function compareReports(reports: Report[], links: (string | undefined)[] = []): Comparison {
  const [first, second, ...more] = reports;
  return {
    reports,
    links,
    ...(first && second && more.length === 0 && { changes: changesSince(first, second) }),
    names: distinctNames(reports),
    notices: notices(reports),
    facts: facts(reports),
    totals: totals(reports),
    chapters: chapters(reports),
    freedoms: observationRows(reports),
  };
}

function distinctNames(reports: Report[]): string[] {
  const distinct = (names: string[], otherwise: (name: string, index: number) => string) =>
    names.map((name, index) => (names.indexOf(name) === names.lastIndexOf(name) ? name : otherwise(name, index)));
  const names = reports.map(({ target }) => target.name);
  const addressed = distinct(names, (name, index) => `${name} (${reports[index]?.target.baseUrl})`);
  return distinct(addressed, (name, index) => `${name}, report ${index + 1}`);
}

function notices(reports: Report[]): string[] {
  const versions = [...new Set(reports.map(({ suite }) => suite.version))];
  const sets = [...new Set(reports.map(({ suite }) => suite.requirementSet))];
  return [
    ...(versions.length > 1
      ? [`The reports were not made by the same version of the suite: ${versions.join(', ')}.`]
      : []),
    ...(sets.length > 1
      ? [
          `The reports are not of the same set of requirements: ${sets.join(', ')}. What one lacks is marked "${NOT_IN_SET}".`,
        ]
      : []),
  ];
}

function facts(reports: Report[]): Comparison['facts'] {
  const row = (name: string, value: (report: Report) => string | number) => ({ name, values: reports.map(value) });
  return [
    row('reason', ({ because }) => because),
    row('base address', ({ target }) => target.baseUrl),
    row('date', ({ start }) => `${start.slice(0, 10)} ${start.slice(11, 16)} UTC`),
    row('suite version', ({ suite }) => suite.version),
    row('requirement set', ({ suite }) => suite.requirementSet),
    row('strict', ({ scope }) => (scope.strict ? 'yes' : 'no')),
    row('requests', ({ requests }) => requests),
    row('users created', ({ users }) => users.created),
    row('duration', ({ duration }) => `${(duration / 1000).toFixed(1)} s`),
  ];
}

function totals(reports: Report[]): Comparison['totals'] {
  const rows = (['MUST', 'SHOULD'] as const).flatMap((level) =>
    OUTCOMES.map((outcome) => ({
      name: `${level} ${outcome.replace('-', ' ')}`,
      values: reports.map(({ counts }) => counts[level][outcome]),
    })),
  );
  return rows.filter(({ values }) => values.some((value) => value > 0));
}

function chapters(reports: Report[]): Comparison['chapters'] {
  const chapters = new Map<string, RequirementRow[]>();
  for (const { slug, values } of requirementRows(reports)) {
    const { level, sentence, chapter } = values.find((value) => value !== undefined) as ReportedRequirement;
    const outcomes = values.map((value) => value?.outcome);
    const differs = new Set(outcomes).size > 1;
    const failed = outcomes.includes('failed') || outcomes.includes('known-failure');
    const row = { name: slug, level, sentence, values, differs, failed };
    const rows = chapters.get(chapter) ?? [];
    rows.push(row);
    chapters.set(chapter, rows);
  }
  return [...chapters].map(([title, rows]) => ({ title, rows }));
}

/** An outcome, or that there is none, as a symbol with its style and in words. */
export function outcomeLook(one: Pick<ReportedRequirement, 'outcome' | 'level'> | undefined, strict: boolean) {
  if (one === undefined) return { style: 'gray', symbol: '·', words: NOT_IN_SET };
  return { ...look(one, strict), words: one.outcome.replace('-', ' ') };
}
