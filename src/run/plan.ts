import { PARTS, type Part, type Requirement } from '../requirement/requirement.ts';
import { casesInPhase, type PlannedCase, planCases } from './runner.ts';

/** The cases and the parts of a run. */
export interface Plan {
  cases: PlannedCase[];
  parts: ReadonlySet<Part>;
}

/** Valid requests that follow each disturbing one. */
const FOLLOW_UPS = 3;

/** The share of requests besides the cases: a run against the reference sends 674 for 558. */
const OTHER_REQUESTS = 1.1;

/** Estimates how many requests a plan sends; a service that needs retries gets more. */
export function estimateRequests({ cases }: Plan): number {
  const disturbing = casesInPhase(cases, 'disturbing').length;
  return Math.floor((cases.length + FOLLOW_UPS * disturbing) * OTHER_REQUESTS);
}

/** Plans the cases and parts that some requirements need. */
export function planFor(wanted: readonly Requirement[], all: readonly Requirement[]): Plan {
  const isWhole = wanted.some(({ needs }) => needs === 'everything');
  if (isWhole) return { cases: planCases(all, all), parts: new Set(PARTS) };
  // The first list shows whether the interface is at this address at all.
  const parts = new Set<Part>(['list']);
  for (const { needs } of wanted) {
    if (needs === 'everything' || needs === undefined) continue;
    for (const part of needs) parts.add(part);
  }
  const cases = planCases(wanted, all);
  if (parts.has('plain users')) cases.unshift(...concurrentCreations(all, cases));
  for (const { case: testCase } of cases) {
    if (testCase.operation !== 'GET /users') parts.add('users');
    if (testCase.phase === 'disturbing') parts.add('users');
    if (testCase.phase === 'together') parts.add('plain users');
  }
  const needUsers: Part[] = ['end', 'concurrency', 'plain users'];
  if (needUsers.some((part) => parts.has(part))) parts.add('users');
  return { cases, parts };
}

/** Plans the creations of the part `plain users` that other requirements declare. */
function concurrentCreations(
  all: readonly Requirement[],
  planned: readonly PlannedCase[],
): PlannedCase[] {
  const plannedCases = new Set(planned.map((plan) => plan.case));
  const creations = casesInPhase(planCases(all, all), 'together');
  return creations.filter((creation) => !plannedCases.has(creation.case));
}
