import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Detail } from '../reports/terminal.ts';
import { SettingsError } from '../settings/errors.ts';
import { withNames } from '../settings/names.ts';
import { nearest } from '../settings/nearest.ts';
import { ownOnly } from '../settings/own.ts';
import { settingRows, settingsTable } from '../settings/table.ts';
import { readVariables } from '../settings/variables.ts';

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
  const parsed = parseFlags({ args: repeatFlags(args), options, allowPositionals: true }, HINT);
  const names = new Set(Object.keys(parsed.values));
  refuseArgument(parsed.positionals[0], commands);
  const texts = flagRows.flatMap(({ flag, variable, kind }) => {
    const given = [parsed.values[flag] ?? []].flat();
    const words = given.map((value) => (value === true ? '1' : `${value}`));
    return words.length === 0 ? [] : [[variable, words.join(kind.separator)] as const];
  });
  const values = ownOnly<Record<string, string>>(Object.fromEntries(texts));
  const conflict = findConflict(names);
  if (conflict !== undefined) throw new SettingsError(`--${conflict}. ${HINT}`);
  const updatedFile = parsed.values['update-known-failures'] as string | undefined;
  if (updatedFile !== undefined) {
    checkUpdate(updatedFile, names, parsed.values['known-failures']);
    values[settingsTable.knownFailures.variable] = updatedFile;
  }
  return {
    names,
    values,
    detail: detailOf(names),
    watchPath: parsed.values['watch-path'] as string | undefined,
    repeat: readRepeat(parsed.values.repeat as string | undefined),
  };
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

/** Returns arguments with `--only a b` as `--only=a --only=b`, for parseArgs. */
function repeatFlags(args: string[]): string[] {
  let list = '';
  return args.flatMap((arg, index) => {
    if (!arg.startsWith('-')) return list ? [`--${list}=${arg}`] : [arg];
    [, list = ''] = /^--(only|skip)(?==|$)/.exec(arg) ?? [];
    const hasSlug = args[index + 1]?.startsWith('-') === false;
    return arg === `--${list}` && hasSlug ? [] : [arg];
  });
}

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

/** Pairs of flags of which the first has no effect with the second. */
const CONFLICTS = [
  ['quiet', 'verbose'],
  ['only', 'last-failed'],
  ['repeat', 'watch'],
] as const;

/** Flags that have an effect on --list, which makes no run. */
const LIST_FLAGS = ['list', 'only', 'skip', 'watch-path'];

/** Returns a clause on a flag that has no effect; undefined if there is none. */
function findConflict(names: ReadonlySet<string>): string | undefined {
  const conflict = CONFLICTS.find(([idle, other]) => names.has(idle) && names.has(other));
  if (conflict) return `${conflict[0]} has no effect with --${conflict[1]}`;
  const idle = [...names].find((name) => !LIST_FLAGS.includes(name));
  if (names.has('list') && idle !== undefined) return `${idle} has no effect with --list`;
  if (names.has('watch-path') && !names.has('watch'))
    return 'watch-path has no effect without --watch';
  return undefined;
}

/** Checks that --update-known-failures can be used with the other flags. Throws a SettingsError. */
function checkUpdate(file: string, names: ReadonlySet<string>, knownFailures: unknown): void {
  const flag = '--update-known-failures';
  if (file === '') throw new SettingsError(`${flag} needs the name of a file.`);
  for (const name of ['watch', 'repeat']) {
    if (names.has(name)) throw new SettingsError(`${flag} takes a single run: omit --${name}.`);
  }
  if (knownFailures !== undefined && resolve(`${knownFailures}`) !== resolve(file))
    throw new SettingsError(`${flag} and --known-failures name different files: omit one of them.`);
}

function detailOf(names: ReadonlySet<string>): Detail {
  if (names.has('quiet')) return 'verdict';
  return names.has('verbose') ? 'all' : 'chapters';
}

const MOST_RUNS = 100;

/** Reads the number of runs; undefined without --repeat. Throws a SettingsError. */
function readRepeat(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_RUNS) return count;
  throw new SettingsError(
    `--repeat is "${text}": it must be a whole number from 1 to ${MOST_RUNS}.`,
  );
}

/**
 * Calls an action in which messages name a setting by its flag, unless the environment or `.env`
 * sets it. `flagValues` has the values of the given flags by variable. `updates` says that
 * --update-known-failures names the file of known failures.
 */
export function withFlagNames<T>(
  flagValues: Readonly<Record<string, string>>,
  action: () => T,
  { updates = false } = {},
): T {
  const { values } = readVariables(process.env, process.cwd());
  return withNames((variable) => {
    const isUpdated = updates && variable === settingsTable.knownFailures.variable;
    if (isUpdated) return '--update-known-failures';
    const row = flagRows.find((candidate) => candidate.variable === variable);
    const isVariable = flagValues[variable] === undefined && values[variable] !== undefined;
    return row === undefined || isVariable ? variable : `--${row.flag}`;
  }, action);
}
