import type { OutcomeName } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { SettingsError } from '../settings/errors.ts';
import type { Settings } from '../settings/settings.ts';
import { counted } from '../verdict/verdict.ts';
import type { Changes } from './changed.ts';
import { LEFT_OUT, type Report } from './report.ts';
import { code, dateText, inertLine, list } from './text.ts';

/**
 * What may have become of a requirement since an earlier run, the most telling first: how it is called, and how it
 * looks.
 */
const KINDS = {
  failing: { name: 'new failure', style: 'red' },
  fixed: { name: 'fixed', style: 'green' },
  still: { name: 'still failing', style: 'yellow' },
  unverified: { name: 'no longer verified', style: 'cyan' },
  unchecked: { name: 'no longer checked', style: 'gray' },
} as const;

const FAILED: (OutcomeName | undefined)[] = ['failed', 'known-failure'];

/** What has changed from one report to another. Pure. */
export function changesSince(before: Report, after: Report): Changes {
  const old = new Map(before.requirements.map(({ id, outcome }) => [id, outcome]));
  const now = new Set(after.requirements.map(({ id }) => id));
  const having = (is: (now: OutcomeName, old?: OutcomeName) => boolean) =>
    after.requirements.filter(({ id, outcome }) => is(outcome, old.get(id))).map(({ id }) => id);
  const { start, title, suite, requirements } = before;
  return {
    since: { start, title, requirementSet: suite.requirementSet },
    failing: having((one, was) => FAILED.includes(one) && !FAILED.includes(was)),
    fixed: having((one, was) => one === 'passed' && FAILED.includes(was)),
    still: having((one, was) => FAILED.includes(one) && FAILED.includes(was)),
    unverified: having(
      (one, was) => one === 'not-verified' && (was === 'passed' || FAILED.includes(was)),
    ),
    unchecked: requirements.filter(({ id }) => !now.has(id)).map(({ id }) => id),
  };
}

/** The kinds of changes of which there are any, each with its slugs. */
export function changeRows(changes: Changes) {
  const rows = Object.entries(KINDS).map(([kind, { name, style }]) => {
    const slugs = changes[kind as keyof typeof KINDS];
    const text = kind === 'failing' ? counted(slugs.length, name) : `${slugs.length} ${name}`;
    return { name, style, slugs, text };
  });
  return rows.filter(({ slugs }) => slugs.length > 0);
}

/** `Since 2026-01-02 03:04 UTC (non-conformant)`. */
export const sinceText = ({ since: { start, title } }: Changes) =>
  `Since ${dateText(start)} (${title})`;

/** `1 new failure, 2 fixed, 3 still failing`. */
export function changesText(changes: Changes): string {
  const texts = changeRows(changes).map(({ text }) => text);
  return texts.join(', ') || 'nothing has changed';
}

/** The changes as a list of Markdown. */
export const changeList = (changes: Changes) =>
  list(changeRows(changes).map(({ name, slugs }) => `${name}: ${slugs.map(code).join(', ')}`));

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
    throw new SettingsError(
      `${inertLine(baseline.name)}: no requirement passed in that run, so none can regress.`,
    );
  }
  return report;
}

/** What passed in a run, or was not looked at: a failure of it is not known. */
export function heldIn({ requirements }: Report): ReadonlySet<string> {
  const held = requirements.filter(
    ({ outcome, reason }) => outcome === 'passed' || reason === LEFT_OUT,
  );
  return new Set(held.map(({ id }) => id));
}
