import type { OutcomeName } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { SettingsError } from '../settings/errors.ts';
import type { Settings } from '../settings/settings.ts';
import { counted } from '../verdict/verdict.ts';
import type { Style } from './appearance.ts';
import type { Changes } from './changed.ts';
import type { Report } from './report.ts';
import { LEFT_OUT } from './selection.ts';
import { dateText, inlineCode, markdownList, sanitizeLine } from './text.ts';

/** Returns the changes from one report to another. Pure. */
export function changesSince(before: Report, after: Report): Changes {
  const previous = new Map(before.requirements.map(({ id, outcome }) => [id, outcome]));
  const current = new Set(after.requirements.map(({ id }) => id));
  const slugsWhere = (test: (outcome: OutcomeName, previous?: OutcomeName) => boolean) =>
    after.requirements
      .filter(({ id, outcome }) => test(outcome, previous.get(id)))
      .map(({ id }) => id);
  const { start, title, suite, requirements } = before;
  return {
    since: { start, title, requirementSet: suite.requirementSet },
    failing: slugsWhere((now, then) => isFailure(now) && !isFailure(then)),
    fixed: slugsWhere((now, then) => now === 'passed' && isFailure(then)),
    still: slugsWhere((now, then) => isFailure(now) && isFailure(then)),
    unverified: slugsWhere(
      (now, then) => now === 'not-verified' && (then === 'passed' || isFailure(then)),
    ),
    unchecked: requirements.map(({ id }) => id).filter((id) => !current.has(id)),
  };
}

const isFailure = (outcome: OutcomeName | undefined): boolean =>
  outcome === 'failed' || outcome === 'known-failure';

type ChangeKind = Exclude<keyof Changes, 'since'>;

/** The kinds of changes, the most important first, with their names and colors. */
const CHANGE_KINDS: { kind: ChangeKind; name: string; style: Style }[] = [
  { kind: 'failing', name: 'new failure', style: 'red' },
  { kind: 'fixed', name: 'fixed', style: 'green' },
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
