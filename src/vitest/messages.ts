import type { Conducted } from '../conduct/conduct.ts';
import type { Progress } from '../conduct/explore.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import type { Settings } from '../settings/settings.ts';
import type { TestResult } from './test-result.ts';

/** What the thread of the runs is given when it starts. The target is not in it: NODE_DEBUG prints it. */
export type ThreadData = Omit<Settings, 'target'>;

/** The environment data in which the thread finds the target, whose key, headers and certificate's key are secrets. */
export const TARGET = 'user-management-conformance: the target';

/** What the Conductor asks the thread. */
export type ToThread = 'begin' | 'interrupt';

/** What the thread tells the Conductor. */
export type FromThread =
  | { kind: 'ready'; baseUrl: string; requirements: RequirementInfo[] }
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'conducted'; conducted: Conducted }
  | { kind: 'broken'; message: string };

/** What Vitest's tests ask the Conductor: which there are to be, and, from the first that runs, for their results. */
export type FromTests = 'requirements' | 'results';

/** What the Conductor tells Vitest's tests; `ended`: every result is told, and the Conductor knows all of the run. */
export type ToTests =
  | { kind: 'requirements'; requirements: readonly RequirementInfo[]; leftOut: string[] }
  | { kind: 'result'; slug: string; result: TestResult }
  | { kind: 'ended' }
  | { kind: 'broken'; message: string };
