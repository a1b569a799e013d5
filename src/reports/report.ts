import type { Coverage } from '../conduct/coverage.ts';
import type { Reproduction } from '../conduct/small.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import type { Level, RequirementInfo } from '../requirement/requirement.ts';
import type { EntryToChange } from '../verdict/entries-to-change.ts';
import type { KnownFailure } from '../verdict/known-failures.ts';
import { effectOf, type Verdict } from '../verdict/verdict.ts';
import { VERDICTS } from './look.ts';
import type { Changes } from './since.ts';

/** One requirement of a report: what it asks for and what came of it. */
export interface ReportedRequirement extends Omit<RequirementInfo, 'slug'>, Omit<Outcome, 'slug' | 'lookedAt'> {
  /** Its slug. */
  id: string;
  /**
   * In a merged report, of what was not verified or failed, known or not: the places of the runs in which it had this
   * outcome, from 0.
   */
  seenIn?: number[];
  /** Of a failure that a thorough run found. */
  reproduction?: Reproduction;
}

/** One run of those that a merged report is made of. */
export interface MergedRun {
  /** Its report, as the user named it. */
  from: string;
  baseUrl: string;
  start: string;
  verdict: Verdict;
  /** In the email of each user of the run. */
  tag: string;
  /** Of a thorough run: the seed of its random choices. */
  seed?: number;
}

/** The suite's own report, `conformance.json`: see schemas/report.schema.json. */
export interface Report {
  verdict: Verdict;
  /** The verdict in words, with the limits of the scope. */
  title: string;
  because: string;
  /** Why nothing could be judged of the target, one sentence; absent where something could. */
  obstacle?: string;
  suite: { name: string; version: string; requirementSet: string };
  /** The name is the one that was given, else the host and port. */
  target: { name: string; baseUrl: string; embeddedReference: boolean };
  scope: { partial: boolean; readOnly: boolean; strict: boolean };
  start: string;
  /** Milliseconds. */
  duration: number;
  requests: number;
  users: { created: number; tag: string };
  counts: Record<Level, Record<OutcomeName, number>>;
  knownFailures: { listed: KnownFailure[]; toChange: EntryToChange[] };
  observations: Record<string, string[]>;
  /** How deep a thorough run looked; absent for any other. */
  coverage?: Coverage;
  /** What has changed since an earlier run; absent where none was named. */
  changes?: Changes;
  /** The runs that a merged report is made of; absent for one run. */
  runs?: MergedRun[];
  requirements: ReportedRequirement[];
}

/** In the order in which reports show them. */
export const OUTCOMES: OutcomeName[] = ['passed', 'failed', 'not-applicable', 'not-verified', 'known-failure'];

/** The chapters of some rows, each with its rows. */
export function chaptersOf<Row extends { chapter: string }>(rows: readonly Row[]): [title: string, rows: Row[]][] {
  const titles = [...new Set(rows.map(({ chapter }) => chapter))];
  return titles.map((title) => [title, rows.filter(({ chapter }) => chapter === title)]);
}

/** The reason of what a filter left out. */
export const LEFT_OUT = 'left out by a filter';

/** The requirements that no filter left out. */
export function selectedOf({ requirements }: Pick<Report, 'requirements'>): ReportedRequirement[] {
  return requirements.filter(({ reason }) => reason !== LEFT_OUT);
}

/** A clause as a sentence. */
export function sentenceOf(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}${/[.?!]$/.test(clause) ? '' : '.'}`;
}

/** What could not be verified, but for what the verdict's reason says already. */
export function openOf({ requirements, obstacle }: Report): ReportedRequirement[] {
  return requirements.filter(({ outcome, reason }) => outcome === 'not-verified' && sentenceOf(reason) !== obstacle);
}

/**
 * What failed: what fails the run, and what only warns. The most telling come first: MUST before SHOULD, then those without
 * which most others could not be verified.
 */
export function failures({ requirements, scope }: Report): Record<'failing' | 'warnings', ReportedRequirement[]> {
  const having = (effect: string) => {
    const found = requirements.filter((one) => effectOf(one, scope.strict) === effect);
    return found.sort(
      (a, b) => a.level.localeCompare(b.level) || behind(b, { requirements }) - behind(a, { requirements }),
    );
  };
  return { failing: having('fails'), warnings: having('warns') };
}

/** All that did not hold, the most telling first: what fails the run, what warns, and known failures. */
export function findingsOf(report: Report): ReportedRequirement[] {
  const { failing, warnings } = failures(report);
  return [...failing, ...warnings, ...report.requirements.filter(({ outcome }) => outcome === 'known-failure')];
}

/** How many requirements could not be verified because this one failed. */
function behind({ id }: { id: string }, { requirements }: Pick<Report, 'requirements'>): number {
  return requirements.filter(({ needs }) => needs === id).length;
}

/** `2 not verified: they depend on a.root`; none where nothing waits for it. */
export function waitingFor(one: { id: string }, report: Pick<Report, 'requirements'>): string[] {
  const count = behind(one, report);
  return count === 0 ? [] : [`${count} not verified: ${count === 1 ? 'it depends' : 'they depend'} on ${one.id}`];
}

/** The slugs of what failed, without known failures. */
export function failedIn({ requirements }: Pick<Report, 'requirements'>): string[] {
  return requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

/** A verdict as a symbol and in words. */
export function verdictText(report: Pick<Report, 'verdict' | 'title'>): string {
  return `${VERDICTS[report.verdict].symbol} ${report.title}`;
}

/** How many requirements of a level passed, of those that are applicable: `47/48`. */
export function score({ counts }: Pick<Report, 'counts'>, level: Level): string {
  const { 'not-applicable': notApplicable, ...applicable } = counts[level];
  return `${applicable.passed}/${Object.values(applicable).reduce((sum, count) => sum + count, 0)}`;
}
