import type { RequirementInfo } from '../requirement/requirement.ts';
import type { Settings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { LEFT_OUT, type Report } from './report.ts';
import { inertLine } from './text.ts';

/** The report of the earlier run that settings name; nothing where they name none. Rejects with a SettingsError. */
export async function readBaseline(
  { baseline, failOn }: Pick<Settings, 'baseline' | 'failOn'>,
  known: readonly RequirementInfo[],
): Promise<Report | undefined> {
  if (baseline === undefined) return undefined;
  // Loaded only where there is one: the validator takes longer than all settings.
  const { readReport } = await import('./read-report.ts');
  const report = readReport(baseline.path, known, { keepsUnknown: true });
  if (failOn === 'regression' && !report.requirements.some(({ outcome }) => outcome === 'passed')) {
    throw new SettingsError(`${inertLine(baseline.name)}: no requirement passed in that run, so none can regress.`);
  }
  return report;
}

/** What passed in a run, or was not looked at: a failure of it is not known. */
export function heldIn({ requirements }: Report): ReadonlySet<string> {
  const held = requirements.filter(({ outcome, reason }) => outcome === 'passed' || reason === LEFT_OUT);
  return new Set(held.map(({ id }) => id));
}
