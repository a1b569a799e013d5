import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Detail } from '../reports/terminal.ts';
import { SettingsError } from '../settings/errors.ts';
import { withNames } from '../settings/names.ts';
import { nearest } from '../settings/nearest.ts';
import { ownOnly } from '../settings/own.ts';
import { settingRows, settingsTable } from '../settings/table.ts';
import { readVariables } from '../settings/variables.ts';

/**
 * Node's parseArgs, whose error becomes one sentence, with the flag that may have been meant or the
 * hint. Throws a SettingsError.
 */
export function parseFlags<T extends ParseArgsConfig>(
  config: T,
  hint: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [said = ''] = (error as Error).message.split(/\. |\n/);
    const sentence = said.replace(
      /^Option '(--[\w-]+).*' argument (missing|is ambiguous\.?)$/,
      '$1 needs a value',
    );
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(sentence) ?? [];
    const meant = unknown && nearest(unknown, Object.keys(config.options ?? {}));
    const more = said.startsWith('Option') ? '.' : `. ${hint}`;
    // It may be the key.
    if (said.startsWith('Unexpected argument'))
      throw new SettingsError(`An argument is not a flag. ${hint}`);
    throw new SettingsError(`${sentence}${meant ? `: did you mean --${meant}?` : more}`);
  }
}

/** The settings that have a flag. */
export const flagRows = settingRows.flatMap(({ flag, ...row }) =>
  flag === undefined ? [] : [{ flag, ...row }],
);

/** The switches of the command that are no settings. */
export const switches = [
  'list',
  'watch',
  'verbose',
  'quiet',
  'last-failed',
  'open',
  'help',
  'version',
] as const;

export type Flags = ReturnType<typeof readFlags>;

const HINT = 'See --help; the key has no flag, set API_KEY.';

/**
 * Reads the flags: the names of those that are given, how much is printed, the values of
 * --watch-path and --repeat, and settings by their variables. The file of
 * --update-known-failures is that of --known-failures, too. After `--only` and `--skip` all words
 * up to the next flag are slugs. Throws a SettingsError.
 */
export function readFlags(args: string[], commands: readonly string[] = []) {
  const options: NonNullable<ParseArgsConfig['options']> = {
    'watch-path': { type: 'string' },
    repeat: { type: 'string' },
    'update-known-failures': { type: 'string' },
  };
  for (const name of switches) options[name] = { type: 'boolean' };
  for (const { flag, kind } of flagRows) {
    options[flag] = {
      type: kind.isSwitch ? 'boolean' : 'string',
      multiple: kind.separator !== undefined,
    };
  }
  const parsed = parseFlags({ args: eachSlugFlagged(args), options, allowPositionals: true }, HINT);
  const given = new Set(Object.keys(parsed.values));
  const [text] = parsed.positionals;
  if (text !== undefined) {
    const meant = nearest(text, commands);
    // Any other argument may be the key.
    if (meant === undefined)
      throw new SettingsError(`An argument is neither a flag nor a command. ${HINT}`);
    throw new SettingsError(`"${text}" is neither a flag nor a command: did you mean ${meant}?`);
  }
  const values = flagRows.flatMap(({ flag, variable, kind }) => {
    const texts = [parsed.values[flag] ?? []].flat().map((one) => (one === true ? '1' : `${one}`));
    return texts.length === 0 ? [] : [[variable, texts.join(kind.separator)] as const];
  });
  // A list is made without a run: only the selection has an effect on it.
  const idleInList = [...given].filter(
    (name) => !['list', 'only', 'skip', 'watch-path'].includes(name),
  );
  const idle = [
    ...(given.has('quiet') && given.has('verbose') ? ['quiet has no effect with --verbose'] : []),
    ...(given.has('last-failed') && given.has('only')
      ? ['only has no effect with --last-failed']
      : []),
    ...(given.has('list') ? idleInList.map((flag) => `${flag} has no effect with --list`) : []),
    ...(given.has('repeat') && given.has('watch') ? ['repeat has no effect with --watch'] : []),
    ...(given.has('watch-path') && !given.has('watch')
      ? ['watch-path has no effect without --watch']
      : []),
  ];
  if (idle.length > 0) throw new SettingsError(`--${idle[0]}. ${HINT}`);
  const updated = parsed.values['update-known-failures'] as string | undefined;
  refuseUpdate(updated, given, parsed.values['known-failures']);
  const detail: Detail = given.has('quiet') ? 'verdict' : given.has('verbose') ? 'all' : 'chapters';
  const watchPath = parsed.values['watch-path'] as string | undefined;
  const repeat = readRepeat(parsed.values.repeat as string | undefined);
  return {
    given,
    detail,
    watchPath,
    repeat,
    values: ownOnly<Record<string, string>>({
      ...Object.fromEntries(values),
      ...(updated !== undefined && { [settingsTable.knownFailures.variable]: updated }),
    }),
  };
}

/**
 * Calls an action whose sentences name a setting by its flag, unless the environment or `.env` sets it. `typed` has the
 * settings that are given by flags, by their variables; `updates` says that the file of known failures is given by
 * --update-known-failures.
 */
export function namingFlags<T>(
  typed: Readonly<Record<string, string>>,
  action: () => T,
  { updates = false } = {},
): T {
  const { values } = readVariables(process.env, process.cwd());
  const nameSetting = (variable: string) => {
    if (updates && variable === settingsTable.knownFailures.variable)
      return '--update-known-failures';
    const row = flagRows.find((one) => one.variable === variable);
    const isVariable = typed[variable] === undefined && values[variable] !== undefined;
    return row === undefined || isVariable ? variable : `--${row.flag}`;
  };
  return withNames(nameSetting, action);
}

/** Refuses an update of known failures by other flags. Throws a SettingsError. */
function refuseUpdate(file: string | undefined, given: Set<string>, knownFailures: unknown): void {
  if (file === undefined) return;
  const flag = '--update-known-failures';
  if (file === '') throw new SettingsError(`${flag} needs the name of a file.`);
  for (const other of ['watch', 'repeat'])
    if (given.has(other)) throw new SettingsError(`${flag} takes a single run: omit --${other}.`);
  if (knownFailures !== undefined && resolve(`${knownFailures}`) !== resolve(file))
    throw new SettingsError(`${flag} and --known-failures name different files: omit one of them.`);
}

/** The most runs that `--repeat` makes. */
const MOST_RUNS = 100;

/** Reads how many runs to make; undefined without `--repeat`. Throws a SettingsError. */
function readRepeat(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_RUNS) return count;
  throw new SettingsError(
    `--repeat is "${text}": it must be a whole number from 1 to ${MOST_RUNS}.`,
  );
}

/** `--only a b` as `--only=a --only=b`, as parseArgs reads it. */
function eachSlugFlagged(args: string[]): string[] {
  let list = '';
  return args.flatMap((arg, at) => {
    if (!arg.startsWith('-')) return list ? [`--${list}=${arg}`] : [arg];
    [, list = ''] = /^--(only|skip)(?==|$)/.exec(arg) ?? [];
    const hasSlug = args[at + 1]?.startsWith('-') === false;
    return arg === `--${list}` && hasSlug ? [] : [arg];
  });
}
