import { requirements } from '../../specs/index.ts';
import { type Selection, select } from '../settings/selection.ts';

/** The requirements that a selection leaves, as a table or as JSON. Throws a SettingsError. */
export function list(selection: Selection, asJson: boolean): string {
  const chosen = select(
    requirements.map(({ slug }) => slug),
    selection,
  );
  const rows = requirements.filter(({ slug }) => chosen.has(slug));
  if (asJson) {
    const described = rows.map(({ check, evidence, ...row }) => row);
    return `${JSON.stringify(described, null, 2)}\n`;
  }
  const width = Math.max(...rows.map(({ slug }) => slug.length));
  const chapters = [...new Set(rows.map(({ chapter }) => chapter))].map((chapter) =>
    [
      chapter,
      ...rows
        .filter((row) => row.chapter === chapter)
        .map(({ slug, level, sentence }) => `  ${level.padEnd(6)}  ${slug.padEnd(width)}  ${sentence}`),
    ].join('\n'),
  );
  return `${chapters.join('\n\n')}\n`;
}
