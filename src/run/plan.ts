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
  // The first list shows whether the interface is at this address at all.
  const parts = new Set<Part>(['list']);
  for (const { needs = [] } of wanted)
    for (const part of needs === 'everything' ? PARTS : needs) parts.add(part);
  // Users who are created at the same moment are cases of one requirement.
  const ofOthers = parts.has('plain users') ? ofPhase(planCases(all, all), 'together') : [];
  const own = planCases(wanted, all);
  const isOwn = ({ case: one }: PlannedCase) => own.some((planned) => planned.case === one);
  const cases = [...ofOthers.filter((one) => !isOwn(one)), ...own];
  for (const { case: one } of cases) {
    if (one.operation !== 'GET /users' || one.phase === 'disturbing') parts.add('users');
    if (one.phase === 'together') parts.add('plain users');
  }
  if (parts.has('end') || parts.has('concurrency') || parts.has('plain users')) parts.add('users');
  return { cases, parts };
}
