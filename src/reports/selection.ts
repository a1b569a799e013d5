import type { Level } from '../requirement/requirement.ts';
import { effectOf } from '../verdict/verdict.ts';
import { capitalize } from './advice.ts';
import type { Report, ReportedRequirement, Scope } from './report.ts';

type Requirements = Pick<Report, 'requirements'>;

/** The reason in the outcome of a requirement that a filter left out. */
export const LEFT_OUT = 'left out by a filter';

/** Whether a run was only on a part of the interface. */
export const isLimited = ({ partial, readOnly }: Scope): boolean => partial || readOnly;

/** Whether a run has sent the requests of all requirements, so that what passed has no fault. */
export const hasSentAll = ({ partial, sentAll }: Scope): boolean => !partial || sentAll === true;

/** Returns the limits of a run in words. */
export const limitsOf = ({ partial, readOnly, strict }: Scope): string[] =>
  [partial ? 'partial' : [], readOnly ? 'read-only' : [], strict ? 'strict' : []].flat();

/** Returns the requirements that no filter left out. */
export const selectedRequirements = ({ requirements }: Requirements): ReportedRequirement[] =>
  requirements.filter(({ reason }) => reason !== LEFT_OUT);

/** Returns the slugs of the failed requirements, without known failures. */
export const failedSlugs = ({ requirements }: Requirements): string[] =>
  requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

/** Returns the requirements that could not be verified for another reason than the verdict's. */
export const openRequirements = ({ requirements, obstacle }: Report): ReportedRequirement[] =>
  requirements.filter(
    (row) => row.outcome === 'not-verified' && !(obstacle && isExplainedBy(obstacle, row)),
  );

/** Whether the reason of the verdict is also why a requirement could not be verified. */
export const isExplainedBy = (
  obstacle: string,
  { outcome, reason }: ReportedRequirement,
): boolean => outcome === 'not-verified' && obstacle.startsWith(capitalize(reason));

/** The requirements that did not hold, by their effect on the run. */
export interface Failures {
  failing: ReportedRequirement[];
  warnings: ReportedRequirement[];
  known: ReportedRequirement[];
}

/**
 * Returns the requirements that did not hold, the most important first: MUST before SHOULD, then
 * those that most others depend on.
 */
export function failures({
  requirements,
  scope,
}: Pick<Report, 'requirements' | 'scope'>): Failures {
  const dependents = (requirement: ReportedRequirement) =>
    countDependents(requirement, { requirements });
  const withEffect = (effect: 'fails' | 'warns') =>
    requirements
      .filter((requirement) => effectOf(requirement, scope.strict) === effect)
      .sort((a, b) => a.level.localeCompare(b.level) || dependents(b) - dependents(a));
  const known = requirements.filter(({ outcome }) => outcome === 'known-failure');
  return { failing: withEffect('fails'), warnings: withEffect('warns'), known };
}

/** Returns the same requirements as `failures`, in one list. */
export function findingsOf(report: Report): ReportedRequirement[] {
  const { failing, warnings, known } = failures(report);
  return [...failing, ...warnings, ...known];
}

/** Returns `2 not verified: they depend on a.root`; empty if no requirement depends on it. */
export function dependentsText(requirement: { id: string }, report: Requirements): string {
  const count = countDependents(requirement, report);
  if (count === 0) return '';
  return `${count} not verified: ${dependText(count, requirement.id)}`;
}

/** Returns `it depends on a.root` or `they depend on a.root`. */
export const dependText = (count: number, slug: string): string =>
  `${count === 1 ? 'it depends' : 'they depend'} on ${slug}`;

/** Counts the requirements that could not be verified because this one failed. */
const countDependents = ({ id }: { id: string }, { requirements }: Requirements): number =>
  requirements.filter(({ needs }) => needs === id).length;

/** Returns how many of the applicable requirements of a level passed: `47/48`. */
export function score({ counts }: Pick<Report, 'counts'>, level: Level): string {
  const { 'not-applicable': _, ...applicable } = counts[level];
  const total = Object.values(applicable).reduce((sum, count) => sum + count, 0);
  return `${applicable.passed}/${total}`;
}

/** Groups rows by a name, in the order in which the names first occur. */
export function groupBy<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): [name: string, rows: Row[]][] {
  const names = new Set(rows.map(nameOf));
  return [...names].map((name) => [name, rows.filter((row) => nameOf(row) === name)]);
}

/** Groups rows by chapter. */
export const chaptersOf = <Row extends { chapter: string }>(
  rows: readonly Row[],
): [chapter: string, rows: Row[]][] => groupBy(rows, ({ chapter }) => chapter);
