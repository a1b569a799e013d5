import type { CaseResult, History } from '../history/history.ts';
import type { Case } from './case.ts';
import type { Finding } from './finding.ts';

/** RFC 2119: a failed MUST fails the run, a failed SHOULD is a warning. */
export type Level = 'MUST' | 'SHOULD';

/** The source of a requirement: a rule of the interface, or a section of a published standard. */
export interface Source {
  text: string;
  url?: string;
  /** The text of the rule, if it is one of the interface. */
  rule?: string;
}

/** The description of a requirement, for reports. */
export interface RequirementInfo {
  /** The stable name: chapter, dot, rule. */
  slug: string;
  level: Level;
  chapter: string;
  source: Source;
  /** The rule in one sentence, for a user whose service fails it. */
  sentence: string;
}

/** A requirement on single responses: the cases, and the expected response to each. */
export interface CaseRequirement extends RequirementInfo {
  cases: readonly Case[];
  /** Judges one result. Pure: it sends nothing and says the same each time. */
  expect: (result: CaseResult, history: History) => Finding | Finding[];
  /**
   * Requirements whose failure on the same operation makes a case prove nothing: a service that
   * accepts requests without a key also accepts a wrong key.
   */
  unless?: readonly string[];
  /** Judges other requests of the run by the same rule. */
  check?: (history: History) => Finding | Finding[];
  needs?: Needs;
}

/** A requirement on the history of the run. */
export interface HistoryRequirement extends RequirementInfo {
  /** Judges the history. Pure. */
  check: (history: History) => Finding | Finding[];
  needs: Needs;
  /** Requests that only this requirement needs. */
  cases?: readonly Case[];
  expect?: undefined;
}

export type Requirement = CaseRequirement | HistoryRequirement;

/** A part of a run that is only carried out if a requirement needs it. */
export type Part = 'list' | 'users' | 'plain users' | 'concurrency' | 'end';
export const PARTS: readonly Part[] = ['list', 'users', 'plain users', 'concurrency', 'end'];

/** The parts of a run that a check reads. `everything`: all parts and all cases. */
export type Needs = readonly Part[] | 'everything';

export const isCaseRequirement = (requirement: Requirement): requirement is CaseRequirement =>
  requirement.expect !== undefined;

/** Returns the cases that a requirement declares. */
export const casesOf = (requirement: Requirement): readonly Case[] => requirement.cases ?? [];
