import type { CaseEvidence, Evidence } from '../plan/evidence.ts';
import type { Finding } from './finding.ts';

/** RFC 2119: a failed MUST fails the run, a failed SHOULD warns. */
export type Level = 'MUST' | 'SHOULD';

/** Where a requirement comes from: a rule of the interface, or a section of a published standard. */
export interface Source {
  text: string;
  url?: string;
  /** What the rule says, where it is one of the interface. */
  rule?: string;
}

/** The parts of the evidence that a check takes, by the names under which it gets them. */
export type Wants = Record<string, Evidence<unknown>>;

export type Given<W extends Wants> = { [Name in keyof W]: W[Name] extends Evidence<infer T> ? T : never };

/** What a requirement is, for reports. */
export interface RequirementInfo {
  /** The stable name: chapter, dot, what is required. */
  slug: string;
  level: Level;
  chapter: string;
  source: Source;
  /** What must or should hold, in one sentence for a user whose service fails it. */
  sentence: string;
}

export interface Requirement<W extends Wants = Wants> extends RequirementInfo {
  evidence: W;
  /** Judges the evidence, and nothing else: it sends nothing, waits for nothing and says the same when asked twice. */
  check(given: Given<W>): Finding | Finding[];
}

/** A part of the evidence that a thorough run may fill with cases of its own, in the place of the declared ones. */
export interface DrawnPart<C, Y = unknown> extends CaseEvidence<Y> {
  /** The same part with other cases. */
  readonly with: (...all: C[]) => CaseEvidence<Y>;
}
