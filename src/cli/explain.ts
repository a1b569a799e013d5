import { guides } from '../../specs/guides.ts';
import { requirements } from '../../specs/index.ts';
import { type Screen, screenOf, wrap } from '../reports/screen.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { SettingsError } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import { parseFlags } from './flags.ts';

const HINT = 'explain takes names of requirements, such as list.total-integer; --list prints all.';

/** Returns the guides to the requirements that the arguments name. Rejects with a SettingsError. */
export async function explain(args: string[]): Promise<string> {
  const { positionals } = parseFlags({ args, allowPositionals: true, options: {} }, HINT);
  if (positionals.length === 0) throw new SettingsError(HINT);
  const selected = select(requirements, { only: positionals, skip: [] });
  const screen = screenOf(process.stdout);
  return selected.map((requirement) => describe(requirement, screen)).join('\n');
}

/** The columns of a line in a guide. */
const COLUMNS = 80;

function describe(
  { slug, level, sentence, source }: Requirement,
  { paint, width }: Screen,
): string {
  const { markdown = '' } = guides[slug] ?? {};
  const lines = [
    `${paint('bold', slug)} (${level}; ${source.text})`,
    wrap(sentence, Math.min(width, COLUMNS), 0),
    '',
    markdown.replace(/^##.*/gm, (heading) => paint('bold', heading)),
  ];
  return lines.join('\n');
}
