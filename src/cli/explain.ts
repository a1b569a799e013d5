import { guides } from '../../specs/guides/index.ts';
import { requirements } from '../../specs/index.ts';
import { type Screen, screenOf, wrap } from '../reports/screen.ts';
import type { Fix } from '../requirement/guide.ts';
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

/** Longer lines are hard to read. */
const WIDEST = 100;

function describe({ slug, level, sentence, source }: Requirement, screen: Screen): string {
  const { paint } = screen;
  const guide = guides[slug];
  if (guide === undefined) throw new Error(`${slug} has no guide.`);
  const { why, mistake, fixes, freedoms } = guide;
  const width = Math.min(screen.width, WIDEST);
  const section = (title: string, texts: readonly string[]) => [
    '',
    paint('bold', title),
    ...texts.map((text) => `  ${wrap(text, width, 2)}`),
  ];
  const lines = [
    `${paint('bold', slug)} (${level}; ${source.text})`,
    wrap(sentence, width, 0),
    ...section('Why it matters', [why]),
    ...section('The usual mistake', [mistake]),
    ...fixes.flatMap((fix) => ['', paint('bold', `Fix in ${fix.stack}`), indentCode(fix)]),
    ...section('Freedoms', freedoms),
  ];
  return `${lines.join('\n')}\n`;
}

function indentCode({ code }: Fix): string {
  return code.replace(/^(?=.)/gm, '    ');
}
