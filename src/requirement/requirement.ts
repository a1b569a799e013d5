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

/** What a requirement is, for reports. */
export interface RequirementInfo {
  /** The stable name: chapter, dot, what is required. */
  slug: string;
  level: Level;
  chapter: string;
  source: Source;
  /** What holds, in one sentence for a user whose service fails it. */
  sentence: string;
}

/** A requirement on single responses: what is sent, and what is expected of each response. */
export interface CaseRequirement extends RequirementInfo {
  cases: readonly Case[];
  /** Judges one result. Pure: it sends nothing and says the same each time. */
  expect: (result: CaseResult, history: History) => Finding | Finding[];
  /**
   * Requirements without which a case of the same operation proves nothing: if a service takes any key, it takes a wrong
   * one as well.
   */
  unless?: readonly string[];
  /** Judges other requests of the run by the same sentence. */
  check?: (history: History) => Finding | Finding[];
  needs?: Needs;
}

/** A requirement on what the run has seen. */
export interface HistoryRequirement extends RequirementInfo {
  /** Judges the history. Pure. */
  check: (history: History) => Finding | Finding[];
  needs: Needs;
  /** Requests that only this requirement needs. */
  cases?: readonly Case[];
  expect?: undefined;
}

export type Requirement = CaseRequirement | HistoryRequirement;

/** A part of a run that is carried out only if a requirement needs it. */
export type Part = 'list' | 'users' | 'plain users' | 'concurrency' | 'end';
export const PARTS: readonly Part[] = ['list', 'users', 'plain users', 'concurrency', 'end'];

/** The parts of a run that a check looks at; `everything` is all parts and all cases of all requirements. */
export type Needs = readonly Part[] | 'everything';

export const isCaseRequirement = (requirement: Requirement): requirement is CaseRequirement =>
  requirement.expect !== undefined;

/** The cases that a requirement declares. */
export const casesOf = (requirement: Requirement): readonly Case[] => requirement.cases ?? [];
