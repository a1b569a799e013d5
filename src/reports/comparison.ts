import { changeList, changesSince, changesText } from './changes.ts';
import { look, verdictText } from './look.ts';
import { chaptersOf, type Report, type ReportedRequirement, score } from './report.ts';
import { code, dateText, inertJson, prose, table } from './text.ts';

/** What the reports of several implementations say, side by side: in each row a value for each implementation. */
export type Comparison = ReturnType<typeof compareReports>;

/**
 * Compares the reports, in the order in which they are given; `links` lead to their pages, from the folder of the
 * comparison. Pure.
 */
export function compareReports(reports: Report[], links: (string | undefined)[] = []) {
  const [first, second, ...more] = reports;
  const fact = (name: string, of: (report: Report) => string) => [name, ...reports.map(of)];
  const rows = requirementRows(reports).map(({ name, values }) => {
    const { level, chapter } = values.find((value) => value !== undefined) as ReportedRequirement;
    const outcomes = values.map((value) => value?.outcome);
    const failed = outcomes.includes('failed') || outcomes.includes('known-failure');
    const looks = reports.map(({ scope }, at) => {
      const one = values[at];
      return one ? look(one, scope.strict) : { symbol: '·', words: 'not in this set' };
    });
    return { name, level, chapter, outcomes, looks, differs: differs(outcomes), failed };
  });
  /** By chapter. */
  const requirements = chaptersOf(rows).flatMap(([, own]) => own);
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
    requirements,
    /** What fails in one of them, known or not: first what holds in another. */
    failed: requirements
      .filter((row) => row.failed)
      .sort((a, b) => Number(b.differs) - Number(a.differs)),
    /** What each does where the interface leaves it open; an empty value where the run did not see it. */
    choices: observationRows(reports).map((row) => ({
      ...row,
      differs: differs(row.values.map(String)),
    })),
  };
}

const differs = (values: unknown[]) => new Set(values).size > 1;

/** The implementations' names, no two of them the same. */
function distinctNames(reports: Report[]): string[] {
  const names = reports.map(({ target }) => target.name);
  const isTwice = (all: string[], name: string) => all.indexOf(name) !== all.lastIndexOf(name);
  const addressed = names.map((name, at) =>
    isTwice(names, name) ? `${name} (${reports[at]?.target.baseUrl})` : name,
  );
  return addressed.map((name, at) =>
    isTwice(addressed, name) ? `${name}, report ${at + 1}` : name,
  );
}

/** The files of a comparison, by their names. */
export const comparisonFiles = (comparison: Comparison) => ({
  'comparison.md': comparisonMarkdown(comparison),
  'comparison.json': inertJson(comparisonJson(comparison)),
});

/**
 * The comparison as Markdown: the runs, and what fails in one of them. Reports are not trusted: what they say is text.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const { facts, changes } = comparison;
  const names = comparison.names.map(prose);
  const failed = comparison.failed.map(({ name, level, looks }) => {
    // A pipe would end the cell, also within code.
    return [
      level,
      code(name).replaceAll('|', '\\u007c'),
      ...looks.map(({ symbol, words }) => `${symbol} ${words}`),
    ];
  });
  const overview = facts.map((row) => row.map(prose));
  const parts = [
    '# Conformance comparison',
    ...(changes
      ? [`From ${names.join(' to ')}: ${changesText(changes)}`, changeList(changes)]
      : []),
    table(['', ...names], overview),
    failed.length > 0 ? table(['level', 'requirement', ...names], failed) : 'No requirement fails.',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * The comparison as data: a value for each report, in their order; null where a report's set does not have a
 * requirement.
 */
export function comparisonJson({
  reports,
  names,
  links,
  changes,
  requirements,
  choices,
}: Comparison): object {
  return {
    reports: reports.map(({ verdict, title, target, suite, start, counts }, at) => ({
      ...{ name: names[at], baseUrl: target.baseUrl, start, verdict, title, counts },
      ...{ requirementSet: suite.requirementSet, report: links[at] ?? null },
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

/** The requirements of reports side by side, by slug; undefined where a report does not have one. Pure. */
const requirementRows = (reports: readonly Report[]) =>
  rowsOf(reports.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one]))));

/** What each service was seen to choose, in the order of the names. Pure. */
const observationRows = (reports: readonly Report[]) =>
  rowsOf(reports.map(({ observations }) => new Map(Object.entries(observations))))
    .map(({ name, values }) => ({ name, values: values.map((value) => value ?? []) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** The names in some columns, and what each column has for it. */
function rowsOf<T>(columns: Map<string, T>[]) {
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  return names.map((name) => ({ name, values: columns.map((column) => column.get(name)) }));
}
