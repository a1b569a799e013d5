import type { Report, ReportedRequirement } from './report.ts';

/** A requirement, and what each of several reports says of it; undefined where a report does not have it. */
export interface RequirementRow {
  slug: string;
  values: (ReportedRequirement | undefined)[];
}

/** What a service was seen to choose, by a name, and the values that each of several reports has for it. */
export interface ObservationRow {
  name: string;
  values: string[][];
}

/** Reports side by side: a column each, in the order in which they are given. Pure. */
export function requirementRows(reports: readonly Report[]): RequirementRow[] {
  return rowsOf(
    reports.map(({ requirements }) => requirements.map((one) => [one.id, one] as const)),
    undefined,
  ).map(([slug, values]) => ({ slug, values }));
}

/** The same of the observations, in the order of their names. Pure. */
export function observationRows(reports: readonly Report[]): ObservationRow[] {
  return rowsOf(
    reports.map(({ observations }) => Object.entries(observations)),
    [],
  )
    .map(([name, values]) => ({ name, values }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** A row for each name of any column; `none` stands where a column does not have it. */
function rowsOf<T, N>(columns: (readonly (readonly [string, T])[])[], none: N): [string, (T | N)[]][] {
  const rows = new Map<string, (T | N)[]>();
  for (const [at, column] of columns.entries()) {
    for (const [name, value] of column) {
      const row = rows.get(name) ?? columns.map(() => none as T | N);
      row[at] = value;
      rows.set(name, row);
    }
  }
  return [...rows];
}
