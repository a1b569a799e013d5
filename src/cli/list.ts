import { requirements } from '../../specs/index.ts';
import { topicsOf } from '../conduct/topic.ts';
import { chaptersOf } from '../reports/report.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { type Selection, select } from '../settings/selection.ts';

/** The requirements that a selection leaves, as a table. Throws a SettingsError. */
export function list(selection: Selection): string {
  const rows = chosen(selection);
  const width = Math.max(...rows.map(({ slug }) => slug.length));
  const chapters = chaptersOf(rows).map(([title, own]) => {
    const lines = own.map(({ slug, level, sentence }) => `  ${level.padEnd(6)}  ${slug.padEnd(width)}  ${sentence}`);
    return [title, ...lines].join('\n');
  });
  return `${chapters.join('\n\n')}\n`;
}

/** The same as JSON, with what a thorough run tries further of each. Rejects with a SettingsError. */
export async function listAsJson(selection: Selection): Promise<string> {
  const rows = chosen(selection);
  // Loaded only here: what draws takes longer to load than the list.
  const { topics } = await import('../../specs/thorough/index.ts');
  const described = rows.map(({ check, evidence, ...row }) => ({
    ...row,
    explored: topicsOf({ check, evidence, ...row }, topics),
  }));
  return `${JSON.stringify(described, null, 2)}\n`;
}

function chosen(selection: Selection): Requirement[] {
  const slugs = select(requirements, selection);
  return requirements.filter(({ slug }) => slugs.has(slug));
}
