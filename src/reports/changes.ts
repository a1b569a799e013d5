import type { OutcomeName } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { SettingsError } from '../settings/errors.ts';
import type { Settings } from '../settings/settings.ts';
import { counted } from '../verdict/verdict.ts';
import type { Style } from './appearance.ts';
import type { Changes, Report } from './report.ts';
import { hasSentAll, LEFT_OUT, selectedRequirements } from './selection.ts';
import { dateText, inlineCode, markdownList, sanitizeLine } from './text.ts';

/** Whether a run may not have sent everything with which the failures of an earlier one were seen. */
function isSmaller(after: Report, before: Report): boolean {
  const selected = new Set(selectedRequirements(after).map(({ id }) => id));
  const isSubset =
    hasSentAll(before.scope) || selectedRequirements(before).some(({ id }) => !selected.has(id));
  return (
    (!hasSentAll(after.scope) && isSubset) ||
    (after.scope.readOnly && !before.scope.readOnly) ||
    isShallower(after.coverage, before.coverage)
  );
}

/** Whether a run explored less than an earlier one. All its cases follow from the seed. */
const isShallower = (after: Report['coverage'], before: Report['coverage']): boolean =>
  before !== undefined && (after?.seed !== before.seed || after.rounds < before.rounds);

/** Returns the changes from one report to another. Pure. */
export function changesSince(before: Report, after: Report): Changes {
  const previous = new Map(before.requirements.map(({ id, outcome }) => [id, outcome]));
  const current = new Set(after.requirements.map(({ id }) => id));
  const slugsWhere = (test: (outcome: OutcomeName, previous?: OutcomeName) => boolean) =>
    after.requirements
      .filter(({ id, outcome }) => test(outcome, previous.get(id)))
      .map(({ id }) => id);
  const { start, title, suite, requirements } = before;
  const gone = slugsWhere((now, then) => now === 'passed' && isFailure(then));
  const smaller = isSmaller(after, before);
  return {
    since: { start, title, requirementSet: suite.requirementSet },
    failing: slugsWhere((now, then) => isFailure(now) && !isFailure(then)),
    fixed: smaller ? [] : gone,
    unshown: smaller ? gone : [],
    still: slugsWhere((now, then) => isFailure(now) && isFailure(then)),
    unverified: slugsWhere(
      (now, then) => now === 'not-verified' && (then === 'passed' || isFailure(then)),
    ),
    unchecked: requirements.map(({ id }) => id).filter((id) => !current.has(id)),
  };
}

export const isFailure = (outcome: OutcomeName | undefined): boolean =>
  outcome === 'failed' || outcome === 'known-failure';

type ChangeKind = Exclude<keyof Changes, 'since'>;

/** The kinds of changes, the most important first, with their names and colors. */
const CHANGE_KINDS: { kind: ChangeKind; name: string; style: Style }[] = [
  { kind: 'failing', name: 'new failure', style: 'red' },
  { kind: 'fixed', name: 'fixed', style: 'green' },
  { kind: 'unshown', name: 'not shown in a smaller run', style: 'cyan' },
  { kind: 'still', name: 'still failing', style: 'yellow' },
  { kind: 'unverified', name: 'no longer verified', style: 'cyan' },
  { kind: 'unchecked', name: 'no longer checked', style: 'gray' },
];

/** The changes of one kind; the text is `2 new failures` or `1 fixed`. */
export interface ChangeRow {
  name: string;
  style: Style;
  slugs: string[];
  text: string;
}

/** Returns a row for each kind of change that occurs. */
export function changeRows(changes: Changes): ChangeRow[] {
  const rows = CHANGE_KINDS.map(({ kind, name, style }) => {
    const slugs = changes[kind];
    const text = kind === 'failing' ? counted(slugs.length, name) : `${slugs.length} ${name}`;
    return { name, style, slugs, text };
  });
  return rows.filter(({ slugs }) => slugs.length > 0);
}

/** Returns `Since 2026-01-02 03:04 UTC (non-conformant)`. */
export const sinceText = ({ since: { start, title } }: Changes): string =>
  `Since ${dateText(start)} (${title})`;

/** Returns `1 new failure, 2 fixed, 3 still failing`. */
export function changesText(changes: Changes): string {
  const texts = changeRows(changes).map(({ text }) => text);
  return texts.join(', ') || 'nothing has changed';
}

/** Returns the changes as a list in Markdown. */
export const changeList = (changes: Changes): string =>
  markdownList(
    changeRows(changes).map(({ name, slugs }) => `${name}: ${slugs.map(inlineCode).join(', ')}`),
  );

/**
 * Returns the report of the baseline; undefined if the settings have none. Rejects with a
 * SettingsError.
 */
export async function readBaseline(
  { baseline, failOn }: Pick<Settings, 'baseline' | 'failOn'>,
  requirements: readonly RequirementInfo[],
): Promise<Report | undefined> {
  if (baseline === undefined) return undefined;
  // Loaded only if there is a baseline: the validator takes longer to load than all settings.
  const { readReport } = await import('./read-report.ts');
  const report = readReport(baseline.path, requirements, { keepsUnknown: true });
  const hasPassed = report.requirements.some(({ outcome }) => outcome === 'passed');
  if (failOn === 'regression' && !hasPassed) {
    throw new SettingsError(
      `${sanitizeLine(baseline.name)}: no requirement passed in that run, so none can regress.`,
    );
  }
  return report;
}

/**
 * Returns the slugs of the requirements that passed in a run or that its filter left out. A failure
 * of one of them is not known.
 */
export function slugsThatHeld({ requirements }: Report): ReadonlySet<string> {
  const held = requirements.filter(
    ({ outcome, reason }) => outcome === 'passed' || reason === LEFT_OUT,
  );
  return new Set(held.map(({ id }) => id));
}
