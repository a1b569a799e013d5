import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import type { Level, RequirementInfo } from '../requirement/requirement.ts';
import type { Tally } from '../run/tally.ts';
import type { Coverage } from '../thorough/coverage.ts';
import type { EntryToChange, KnownFailure } from '../verdict/accept.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** The suite's own report, `conformance.json`: see schemas/report.schema.json. */
export interface Report {
  verdict: Verdict;
  /** The verdict in words, with the limits of the scope. */
  title: string;
  because: string;
  /** One sentence that explains why nothing could be judged; absent if something could. */
  obstacle?: string;
  suite: { name: string; version: string; requirementSet: string };
  /** The name is that of the settings, by default the host and port. */
  target: { name: string; baseUrl: string; embeddedReference: boolean };
  scope: Scope;
  start: string;
  /** Milliseconds. */
  duration: number;
  requests: number;
  users: { created: number; tag: string };
  counts: Counts;
  knownFailures: { listed: KnownFailure[]; toChange: EntryToChange[] };
  observations: Record<string, string[]>;
  /** The depth of a thorough run; absent for any other run. */
  coverage?: Coverage;
  /** The changes since the baseline; absent without one. */
  changes?: Changes;
  requirements: ReportedRequirement[];
}

/** The limits of a run. */
export interface Scope {
  partial: boolean;
  readOnly: boolean;
  strict: boolean;
  /** Present if a filter left requirements out whose requests were sent all the same. */
  sentAll?: true;
}

/** The number of requirements by level and outcome. */
export type Counts = Record<Level, Record<OutcomeName, number>>;

/** The changes since an earlier run: the slugs of each kind. */
export interface Changes
  extends Record<'failing' | 'fixed' | 'unshown' | 'still' | 'unverified' | 'unchecked', string[]> {
  /** The earlier run. */
  since: { start: string; title: string; requirementSet: string };
}

/** A requirement of a report, with its outcome. */
export interface ReportedRequirement
  extends Omit<RequirementInfo, 'slug'>,
    Omit<Outcome, 'slug' | 'lookedAt' | 'recipe'> {
  /** Its slug. */
  id: string;
  /** Commands for a shell that repeat the failure; absent if a few requests can't. */
  repeat?: string[];
}

/**
 * The facts of a finished run, without its history: plain JSON, without the key. `obstacle` is a
 * clause or a sentence.
 */
export interface RunFacts
  extends Pick<Report, 'suite' | 'target' | 'start' | 'duration' | 'obstacle' | 'coverage'> {
  readOnly: boolean;
  /** Present if the requests of all requirements were sent, whatever was selected. */
  sentAll?: true;
  tally: Tally;
}
