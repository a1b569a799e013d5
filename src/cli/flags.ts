import type { ParseArgsConfig } from 'node:util';
import { nearest } from '../settings/names.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { settingRows } from '../settings/table.ts';
import { parseFlags } from './parse-flags.ts';

/** The settings that have a flag. */
export const flagRows = settingRows.flatMap(({ flag, ...row }) => (flag === undefined ? [] : [{ flag, ...row }]));

/** What only the command knows, beside the settings. */
export const switches = [
  ...['list', 'json', 'watch', 'verbose', 'quiet', 'last-failed', 'open', 'help', 'version'],
] as const;

/** The commands; anything else is a run. */
export const COMMANDS = ['init', 'reproduce', 'again', 'compare', 'merge', 'help'];

export interface Flags {
  /** The switches that are given. */
  on: Set<string>;
  /** The folder of --watch-path. */
  watchPath?: string | undefined;
  /** Settings by their variables. */
  values: Record<string, string>;
}

const HINT = 'See --help for the flags; the key has none, it is read from API_KEY.';

/** Reads the flags. Of `--only` and `--skip` all that follows up to the next flag is a slug. Throws a SettingsError. */
export function readFlags(args: string[]): Flags {
  const options: ParseArgsConfig['options'] = {
    ...Object.fromEntries(
      flagRows.map(({ flag, kind }) => [flag, { type: kind.value ? ('string' as const) : ('boolean' as const) }]),
    ),
    ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const }])),
    'watch-path': { type: 'string' as const },
    help: { type: 'boolean' as const, short: 'h' },
    version: { type: 'boolean' as const, short: 'v' },
  };
  const { tokens } = parseFlags({ args, options, allowPositionals: true, tokens: true }, HINT);
  const on = new Set<string>();
  const given = new Map<string, string>();
  let list: string | undefined;
  let watchPath: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'option') {
      const row = flagRows.find(({ flag }) => flag === token.name);
      list = row?.kind.list ? row.variable : undefined;
      if (token.name === 'watch-path') watchPath = token.value;
      else if (row === undefined) on.add(token.name);
      else if (list !== undefined) given.set(list, `${given.get(list) ?? ''} ${token.value}`);
      else if (row.kind.repeated) given.set(row.variable, `${given.get(row.variable) ?? ''}${token.value}\n`);
      else given.set(row.variable, token.value ?? '1');
    } else if (token.kind === 'positional') {
      if (list === undefined) throw noFlag(token.value);
      given.set(list, `${given.get(list)} ${token.value}`);
    }
  }
  if (on.has('json') && !on.has('list')) throw new SettingsError(`--json has no effect without --list. ${HINT}`);
  if (on.has('quiet') && on.has('verbose')) throw new SettingsError(`--quiet has no effect with --verbose. ${HINT}`);
  if (on.has('last-failed') && given.has('CONFORMANCE_ONLY')) {
    throw new SettingsError(`--only has no effect with --last-failed. ${HINT}`);
  }
  if (on.has('list')) refuseBesideList(on, given);
  if (watchPath !== undefined && !on.has('watch')) {
    throw new SettingsError(`--watch-path has no effect without --watch. ${HINT}`);
  }
  return { on, watchPath, values: Object.fromEntries(given) };
}

function noFlag(text: string): SettingsError {
  const meant = nearest(text, COMMANDS);
  return new SettingsError(`"${text}" is no flag and no command${meant ? `: did you mean ${meant}?` : `. ${HINT}`}`);
}

/** A list is made without a run: nothing but which requirements are wanted has an effect on it. */
function refuseBesideList(on: ReadonlySet<string>, given: ReadonlyMap<string, string>): void {
  const idle = flagRows.find(({ variable, kind }) => given.has(variable) && !kind.list)?.flag;
  const flag = switches.find((name) => !['list', 'json', 'help', 'version'].includes(name) && on.has(name)) ?? idle;
  if (flag !== undefined) throw new SettingsError(`--${flag} has no effect with --list. ${HINT}`);
}
