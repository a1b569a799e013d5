import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Detail } from '../reports/terminal.ts';
import { SettingsError } from '../settings/errors.ts';
import { withNames } from '../settings/names.ts';
import { nearest } from '../settings/nearest.ts';
import { ownOnly } from '../settings/own.ts';
import { settingRows, settingsTable, wholeNumber } from '../settings/table.ts';
import { readVariables } from '../settings/variables.ts';

/** The settings that have a flag. */
const flagRows = settingRows.flatMap(({ flag, ...row }) =>
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

const UPDATE = 'update-known-failures';

/** The flags of the command that take a value and are no settings. */
export const valueFlags = ['watch-path', 'repeat', UPDATE] as const;

/** The flags of a command line. */
export interface Flags {
  /** The names of the given flags. */
  names: ReadonlySet<string>;
  /** The values of settings by variable. */
  values: Record<string, string>;
  /** The details that the command prints. */
  detail: Detail;
  watchPath: string | undefined;
  /** The number of runs. */
  repeat: number | undefined;
}

const HINT = 'See --help; the key has no flag, set API_KEY.';

/**
 * Reads the flags. The file of --update-known-failures is also that of --known-failures. After
 * --only and --skip all words up to the next flag are slugs. Throws a SettingsError, which suggests
 * one of `commands` for a misspelt one.
 */
export function readFlags(args: string[], commands: readonly string[] = []): Flags {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const name of switches) options[name] = { type: 'boolean' };
  for (const name of valueFlags) options[name] = { type: 'string' };
  for (const { flag, kind } of flagRows)
    options[flag] = {
      type: kind.isSwitch ? 'boolean' : 'string',
      multiple: kind.separator !== undefined,
    };
  const parsed = parseFlags({ args: joinFlags(args), options, allowPositionals: true }, HINT);
  const names = new Set(Object.keys(parsed.values));
  const textOf = (flag: string, separator = '') =>
    names.has(flag) ? [parsed.values[flag]].flat().join(separator) : undefined;
  refuseArgument(parsed.positionals[0], commands);
  refuseConflicts(names);
  const values = ownOnly<Record<string, string>>({});
  for (const { flag, variable, kind } of flagRows) {
    const text = kind.isSwitch && names.has(flag) ? '1' : textOf(flag, kind.separator);
    if (text !== undefined) values[variable] = text;
  }
  const updated = textOf(UPDATE);
  if (updated === '') throw new SettingsError(`--${UPDATE} needs the name of a file.`);
  if (updated !== undefined) values[settingsTable.knownFailures.variable] = updated;
  const repeat = textOf('repeat');
  return {
    names,
    values,
    detail: detailOf(names),
    watchPath: textOf('watch-path'),
    repeat:
      repeat === undefined ? undefined : RUNS.read(repeat, { name: '--repeat', directory: '' }),
  };
}

const RUNS = wholeNumber(1, { most: 100 });

function detailOf(names: ReadonlySet<string>): Detail {
  if (names.has('quiet')) return 'verdict';
  return names.has('verbose') ? 'all' : 'chapters';
}

/**
 * Parses arguments with Node's parseArgs. Its error becomes one sentence, with the flag that may be
 * meant or the hint. Throws a SettingsError.
 */
export function parseFlags<T extends ParseArgsConfig>(
  config: T,
  hint: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [message = ''] = (error as Error).message.split(/\. |\n/);
    // The message repeats the argument, which may be the key.
    if (message.startsWith('Unexpected argument'))
      throw new SettingsError(`An argument is not a flag. ${hint}`);
    const sentence = message.replace(
      /^Option '(--[\w-]+).*' argument (missing|is ambiguous\.?)$/,
      '$1 needs a value',
    );
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(sentence) ?? [];
    const suggestion = unknown && nearest(unknown, Object.keys(config.options ?? {}));
    if (suggestion) throw new SettingsError(`${sentence}: did you mean --${suggestion}?`);
    throw new SettingsError(message.startsWith('Option') ? `${sentence}.` : `${sentence}. ${hint}`);
  }
}

/** Returns arguments for parseArgs: `--only a b` as `--only=a --only=b`, `--rate -1` as `--rate=-1`. */
function joinFlags(args: string[]): string[] {
  let list = '';
  return args.flatMap((arg, index) => {
    const next = args[index + 1] ?? '-';
    if (isPair(arg, next)) return [`${arg}=${next}`];
    if (isPair(args[index - 1], arg)) return [];
    if (!arg.startsWith('-')) return list ? [`--${list}=${arg}`] : [arg];
    [, list = ''] = /^--(only|skip)(?==|$)/.exec(arg) ?? [];
    return arg === `--${list}` && !next.startsWith('-') ? [] : [arg];
  });
}

/** Whether an argument is a flag and the next one a negative number. */
const isPair = (flag = '', value: string): boolean => /^--[\w-]+$/.test(flag) && /^-\d/.test(value);

/** Refuses an argument that is no flag, and repeats it only if it resembles a command. */
function refuseArgument(argument: string | undefined, commands: readonly string[]): void {
  if (argument === undefined) return;
  const suggestion = nearest(argument, commands);
  // Any other argument may be the key.
  if (suggestion === undefined)
    throw new SettingsError(`An argument is neither a flag nor a command. ${HINT}`);
  throw new SettingsError(
    `"${argument}" is neither a flag nor a command: did you mean ${suggestion}?`,
  );
}

/** Flags that have no effect with others. */
const CONFLICTS: [idle: string, ...others: string[]][] = [
  ['quiet', 'verbose'],
  ['only', 'last-failed'],
  ['repeat', 'watch', UPDATE],
  ['watch', UPDATE],
  ['known-failures', UPDATE],
];

/** Flags that have an effect on --list, which makes no run. */
const LIST_FLAGS = ['list', 'only', 'skip', 'watch-path'];

/** Throws a SettingsError if a flag has no effect with the others. */
function refuseConflicts(names: ReadonlySet<string>): void {
  const refuse = (clause: string) => new SettingsError(`--${clause}. ${HINT}`);
  for (const [idle, ...others] of CONFLICTS)
    for (const other of others)
      if (names.has(idle) && names.has(other))
        throw refuse(`${idle} has no effect with --${other}`);
  const idle = [...names].find((name) => !LIST_FLAGS.includes(name));
  if (names.has('list') && idle !== undefined) throw refuse(`${idle} has no effect with --list`);
  if (names.has('watch-path') && !names.has('watch'))
    throw refuse('watch-path has no effect without --watch');
}

/**
 * Calls an action in which messages name a setting by its flag, unless it has none or the
 * environment or `.env` sets it.
 */
export function withFlagNames<T>(args: readonly string[], action: () => T): T {
  const { values } = readVariables(process.env, process.cwd());
  const given = args.map((arg) => arg.split('=')[0]);
  return withNames((variable) => {
    const isUpdated = variable === settingsTable.knownFailures.variable;
    if (isUpdated && given.includes(`--${UPDATE}`)) return `--${UPDATE}`;
    const flag = flagRows.find((row) => row.variable === variable)?.flag;
    const isFlag = given.includes(`--${flag}`) || values[variable] === undefined;
    return flag !== undefined && isFlag ? `--${flag}` : variable;
  }, action);
}
