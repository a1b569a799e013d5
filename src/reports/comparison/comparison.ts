import { look } from '../look.ts';
import { chaptersOf, type Report, type ReportedRequirement, score, verdictText } from '../report.ts';
import { observationRows, type Row, requirementRows } from '../side-by-side.ts';
import { changesSince } from '../since.ts';
import { dateText } from '../text.ts';

/** What the reports of several implementations say, side by side: in each row a value for each implementation. */
export type Comparison = ReturnType<typeof compareReports>;

/**
 * Compares the reports, in the order in which they are given; `links` lead to their pages, from the folder of the
 * comparison. Pure.
 */
export function compareReports(reports: Report[], links: (string | undefined)[] = []) {
  const [first, second, ...more] = reports;
  const requirements = requirementRows(reports).map((row) => {
    const { level, sentence, chapter } = row.values.find((value) => value !== undefined) as ReportedRequirement;
    const outcomes = row.values.map((value) => value?.outcome);
    const failed = outcomes.includes('failed') || outcomes.includes('known-failure');
    return { ...row, level, chapter, sentence, differs: differs(outcomes), failed };
  });
  const fact = (name: string, of: (report: Report) => string): Row<string> => ({ name, values: reports.map(of) });
  return {
    reports,
    links,
    /** Of two reports: what is different in the second. */
    ...(first && second && more.length === 0 && { changes: changesSince(first, second) }),
    names: distinctNames(reports),
    /** The runs, and how many requirements passed of those that are applicable. */
    facts: [
      fact('verdict', verdictText),
      fact('reason', ({ because }) => because),
      fact('MUST passed', (report) => score(report, 'MUST')),
      fact('SHOULD passed', (report) => score(report, 'SHOULD')),
      fact('base address', ({ target }) => target.baseUrl),
      fact('date', ({ start }) => dateText(start)),
      fact('suite version', ({ suite }) => suite.version),
      fact('requirement set', ({ suite }) => suite.requirementSet),
    ],
    /** By chapter; a value is undefined where a report's set of requirements does not have it. */
    requirements: chaptersOf(requirements).flatMap(([, rows]) => rows),
    /** What each does where the interface leaves it open; an empty value where the run did not see it. */
    choices: observationRows(reports).map((row) => ({ ...row, differs: differs(row.values.map(String)) })),
  };
}

const differs = (values: unknown[]) => new Set(values).size > 1;

/** What fails in one of them, known or not: first what holds in another. */
export function failedRows({ requirements }: Comparison): Comparison['requirements'] {
  const failed = requirements.filter((row) => row.failed);
  return [...failed.filter((row) => row.differs), ...failed.filter((row) => !row.differs)];
}

/** The implementations' names, no two of them the same. */
function distinctNames(reports: Report[]): string[] {
  const distinct = (names: string[], otherwise: (name: string, index: number) => string) =>
    names.map((name, index) => (names.indexOf(name) === names.lastIndexOf(name) ? name : otherwise(name, index)));
  const names = reports.map(({ target }) => target.name);
  const addressed = distinct(names, (name, index) => `${name} (${reports[index]?.target.baseUrl})`);
  return distinct(addressed, (name, index) => `${name}, report ${index + 1}`);
}

/** How the outcome of a requirement looks; or that a set does not have it. */
export function outcomeLook(one: ReportedRequirement | undefined, report: Report | undefined) {
  return one && report ? look(one, report.scope.strict) : { style: 'gray', symbol: '·', words: 'not in this set' };
}
