import { requirements } from '../../specs/index.ts';
import { chaptersOf } from '../reports/selection.ts';
import { type Selection, select } from '../settings/selection.ts';

/** Returns the selected requirements as a table. Throws a SettingsError. */
export function list(selection: Selection): string {
  const rows = select(requirements, selection);
  const width = Math.max(...rows.map(({ slug }) => slug.length));
  const chapters = chaptersOf(rows).map(([title, members]) => {
    const lines = members.map(
      ({ slug, level, sentence }) => `  ${level.padEnd(6)}  ${slug.padEnd(width)}  ${sentence}`,
    );
    return [title, ...lines].join('\n');
  });
  return `${chapters.join('\n\n')}\n`;
}
