import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Printed } from '../reports/terminal.ts';
import { nearest } from '../settings/nearest.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { settingRows } from '../settings/table.ts';

/** Node's parseArgs, whose error becomes one sentence, with the flag that may have been meant or the hint. Throws a SettingsError. */
export function parseFlags<T extends ParseArgsConfig>(config: T, hint: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(sentence) ?? [];
    const meant = unknown && nearest(unknown, Object.keys(config.options ?? {}));
    throw new SettingsError(meant ? `${sentence}: did you mean --${meant}?` : `${sentence}. ${hint}`);
  }
}

/** The settings that have a flag. */
export const flagRows = settingRows.flatMap(({ flag, ...row }) => (flag === undefined ? [] : [{ flag, ...row }]));

/** What only the command knows, beside the settings. */
export const switches = [...['list', 'watch', 'verbose', 'quiet', 'last-failed', 'open', 'help', 'version']] as const;

export interface Flags {
  /** The switches that are given. */
  on: Set<string>;
  /** How much is printed, by --verbose and --quiet. */
  detail: NonNullable<Printed['detail']>;
  /** The directory of --watch-path. */
  watchPath?: string | undefined;
  /** Settings by their variables. */
  values: Record<string, string>;
}

const HINT = 'See --help for the flags; the key has none, it is read from API_KEY.';

/** Reads the flags. Of `--only` and `--skip` all that follows up to the next flag is a slug. Throws a SettingsError. */
export function readFlags(args: string[], commands: readonly string[] = []): Flags {
  const boolean = { type: 'boolean' } as const;
  const options: ParseArgsConfig['options'] = {
    ...Object.fromEntries(
      flagRows.map(({ flag, kind }) => [flag, { type: kind.value ? 'string' : 'boolean' } as const]),
    ),
    ...Object.fromEntries(switches.map((name) => [name, boolean])),
    'watch-path': { type: 'string' },
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
      if (list === undefined) throw noFlag(token.value, commands);
      given.set(list, `${given.get(list)} ${token.value}`);
    }
  }
  const idle = [
    ...(on.has('quiet') && on.has('verbose') ? ['quiet has no effect with --verbose'] : []),
    ...(on.has('last-failed') && given.has('CONFORMANCE_ONLY') ? ['only has no effect with --last-failed'] : []),
    ...(on.has('list') ? idleWithList(on, given) : []),
    ...(watchPath !== undefined && !on.has('watch') ? ['watch-path has no effect without --watch'] : []),
  ];
  if (idle.length > 0) throw new SettingsError(`--${idle[0]}. ${HINT}`);
  const detail = on.has('quiet') ? 'verdict' : on.has('verbose') ? 'all' : 'chapters';
  return { on, detail, watchPath, values: Object.fromEntries(given) };
}

function noFlag(text: string, commands: readonly string[]): SettingsError {
  const meant = nearest(text, commands);
  return new SettingsError(`"${text}" is no flag and no command${meant ? `: did you mean ${meant}?` : `. ${HINT}`}`);
}

/** A list is made without a run: only the selection has an effect on it. */
function idleWithList(on: ReadonlySet<string>, given: ReadonlyMap<string, string>): string[] {
  const settings = flagRows.filter(({ variable, kind }) => given.has(variable) && !kind.list).map(({ flag }) => flag);
  const others = [...on].filter((name) => name !== 'list');
  return [...others, ...settings].map((flag) => `${flag} has no effect with --list`);
}

/** Reads what `compare` and `merge` are given: report directories and --output. Throws a SettingsError. */
export function readReportDirs(name: 'compare' | 'merge', args: string[]) {
  const options = { output: { type: 'string' } } as const;
  const hint = `${name} takes report directories and --output DIR.`;
  const { values, positionals } = parseFlags({ args, allowPositionals: true, options }, hint);
  if (positionals.length === 0) {
    throw new SettingsError(`${name} needs the report directories of runs: ${name} DIR… [--output DIR].`);
  }
  return { ...values, reportDirs: positionals };
}
