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

/** Judges one result of a case. Pure: it sends nothing and says the same each time. */
export type Expect = (result: CaseResult, history: History) => Finding | Finding[];

/** Judges the history of a run. Pure. */
export type Check = (history: History) => Finding | Finding[];

/** A requirement judges each result of its cases by `expect`, the run by `check`, or both. */
export interface Requirement extends RequirementInfo {
  /** The requests that are sent for it. Without `expect`, only `check` judges them. */
  cases?: readonly Case[];
  expect?: Expect;
  /**
   * Requirements whose failure on the same operation makes a case prove nothing: a service that
   * accepts requests without a key also accepts a wrong key.
   */
  unless?: readonly string[];
  check?: Check;
  /** The parts of the run that `check` reads. */
  needs?: Needs;
}

/** A part of a run that is only carried out if a requirement needs it. */
export type Part = 'list' | 'users' | 'plain users' | 'concurrency' | 'end';
export const PARTS: readonly Part[] = ['list', 'users', 'plain users', 'concurrency', 'end'];

/** The parts of a run that a check reads. `everything`: all parts and all cases. */
export type Needs = readonly Part[] | 'everything';

/** Returns the cases that a requirement declares. */
export const casesOf = ({ cases = [] }: Requirement): readonly Case[] => cases;
