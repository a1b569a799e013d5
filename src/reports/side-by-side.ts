import type { Report, ReportedRequirement } from './report.ts';

/** A name, and what each of several reports has for it. */
export interface Row<T> {
  name: string;
  values: T[];
}

/** The requirements of reports side by side, by slug; undefined where a report does not have one. Pure. */
export function requirementRows(reports: readonly Report[]): Row<ReportedRequirement | undefined>[] {
  return rowsOf(reports.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one]))));
}

/** What each service was seen to choose, in the order of the names. Pure. */
export function observationRows(reports: readonly Report[]): Row<string[]>[] {
  return rowsOf(reports.map(({ observations }) => new Map(Object.entries(observations))))
    .map(({ name, values }) => ({ name, values: values.map((value) => value ?? []) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function rowsOf<T>(columns: Map<string, T>[]): Row<T | undefined>[] {
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  return names.map((name) => ({ name, values: columns.map((column) => column.get(name)) }));
}
