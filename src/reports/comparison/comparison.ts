import { look } from '../look.ts';
import { chaptersOf, type Report, type ReportedRequirement } from '../report.ts';
import { observationRows, type Row, requirementRows } from '../side-by-side.ts';
import { changesSince } from '../since.ts';

/** What the reports of several implementations say, side by side: in each row a value for each implementation. */
export type Comparison = ReturnType<typeof compareReports>;

/** A requirement as the reports show it; undefined where a report's set of requirements does not have it. */
export type RequirementRow = ReturnType<typeof requirementRow>;

/** Compares the reports, in the order in which they are given; `links` lead to their pages, from the folder of the comparison. Pure. */
export function compareReports(reports: Report[], links: (string | undefined)[] = []) {
  const [first, second, ...more] = reports;
  return {
    reports,
    links,
    /** Of two reports: what is different in the second. */
    ...(first && second && more.length === 0 && { changes: changesSince(first, second) }),
    names: distinctNames(reports),
    /** By chapter. */
    requirements: chaptersOf(requirementRows(reports).map(requirementRow)).flatMap(([, rows]) => rows),
    /** What each does where the interface leaves it open; an empty value where the run did not see it. */
    choices: observationRows(reports),
  };
}

/** The implementations' names, no two of them the same. */
function distinctNames(reports: Report[]): string[] {
  const distinct = (names: string[], otherwise: (name: string, index: number) => string) =>
    names.map((name, index) => (names.indexOf(name) === names.lastIndexOf(name) ? name : otherwise(name, index)));
  const names = reports.map(({ target }) => target.name);
  const addressed = distinct(names, (name, index) => `${name} (${reports[index]?.target.baseUrl})`);
  return distinct(addressed, (name, index) => `${name}, report ${index + 1}`);
}

function requirementRow({ name, values }: Row<ReportedRequirement | undefined>) {
  const { level, sentence, chapter } = values.find((value) => value !== undefined) as ReportedRequirement;
  const outcomes = values.map((value) => value?.outcome);
  /** Whether one of them fails it, known or not. */
  const failed = outcomes.includes('failed') || outcomes.includes('known-failure');
  /** Whether the implementations differ in its outcome. */
  const differs = new Set(outcomes).size > 1;
  return { name, level, chapter, sentence, values, differs, failed };
}

/** How the outcome of a requirement looks; or that a set does not have it. */
export function outcomeLook(one: ReportedRequirement | undefined, { scope }: Report) {
  return one ? look(one, scope.strict) : { style: 'gray', symbol: '·', words: 'not in this set' };
}
