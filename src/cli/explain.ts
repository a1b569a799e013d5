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
  return selected.map((requirement) => explanation(requirement, screen)).join('\n');
}

/** The longest line that is read with ease. */
const WIDEST = 100;

function explanation({ slug, level, sentence, source }: Requirement, screen: Screen): string {
  const { paint } = screen;
  const guide = guides[slug];
  if (guide === undefined) throw new Error(`${slug} has no guide.`);
  const { why, mistake, fixes, freedoms } = guide;
  const width = Math.min(screen.width, WIDEST);
  const part = (title: string, texts: readonly string[]) => [
    '',
    paint('bold', title),
    ...texts.map((text) => `  ${wrap(text, width, 2)}`),
  ];
  const lines = [
    `${paint('bold', slug)} (${level}; ${source.text})`,
    wrap(sentence, width, 0),
    ...part('Why it matters', [why]),
    ...part('The usual mistake', [mistake]),
    ...fixes.flatMap((fix) => ['', paint('bold', `Fix in ${fix.stack}`), codeText(fix)]),
    ...part('Freedoms', freedoms),
  ];
  return `${lines.join('\n')}\n`;
}

const codeText = ({ code }: Fix): string => code.replace(/^(?=.)/gm, '    ');
