import { PARTS, type Part, type Requirement } from '../requirement/requirement.ts';
import { ofPhase, type PlannedCase, planCases } from './runner.ts';

/** The cases and the parts of a run. */
export interface Plan {
  cases: PlannedCase[];
  parts: ReadonlySet<Part>;
}

/** Plans what some requirements need. */
export function planFor(wanted: readonly Requirement[], all: readonly Requirement[]): Plan {
  const isWhole = wanted.some(({ needs }) => needs === 'everything');
  if (isWhole) return { cases: planCases(all, all), parts: new Set(PARTS) };
  const parts = new Set<Part>(
    wanted.flatMap(({ needs = [] }) => (needs === 'everything' ? PARTS : needs)),
  );
  // Users who are created at the same moment are cases of one requirement.
  const ofOthers = parts.has('plain users') ? ofPhase(planCases(all, all), 'together') : [];
  const own = planCases(wanted, all);
  const isOwn = ({ case: one }: PlannedCase) => own.some((planned) => planned.case === one);
  const cases = [...ofOthers.filter((one) => !isOwn(one)), ...own];
  for (const { case: one } of cases) {
    if (!one.needsNoProof) parts.add('list');
    if (one.operation !== 'GET /users' || one.phase === 'disturbing') parts.add('users');
    if (one.phase === 'together') parts.add('plain users');
  }
  if (parts.has('end') || parts.has('concurrency') || parts.has('plain users')) parts.add('users');
  if (parts.has('users')) parts.add('list');
  return { cases, parts };
}
