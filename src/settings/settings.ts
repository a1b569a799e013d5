import { readEnvFile, takenFrom, withoutTarget } from './env-file.ts';
import { unknownName } from './names.ts';
import { readProxies } from './proxies.ts';
import type { Selection } from './selection.ts';
import type { SettingRow } from './setting-row.ts';
import { SettingsError } from './settings-error.ts';
import { type SettingValues, settingRows, settingsTable } from './table.ts';
import { holdsKey, isEveryday, NO_TARGET, readTarget, type Target } from './target.ts';
import { readTls } from './tls.ts';

export type { Target } from './target.ts';

/** What is said of the service to judge. */
type OfTarget = Pick<SettingValues, 'baseUrl' | 'apiKey' | 'headers' | 'clientCert' | 'clientKey' | 'ca'>;

/** The settings of a run, checked. */
export interface Settings extends Omit<SettingValues, keyof OfTarget | 'only' | 'skip'> {
  /** Absent: the embedded reference service. */
  target?: Target;
  selection: Selection;
  /** Sentences for the user that are no errors. */
  notices: string[];
}

/** What is set, by its variable, before it is read. */
export type Given = Record<string, string | undefined>;

/**
 * Reads the settings from the environment and from `.env` in the working directory; the environment wins. With `needsTarget`
 * they must name a target. Throws a SettingsError.
 */
export function readSettings(environment: NodeJS.ProcessEnv, directory: string, needsTarget = false): Settings {
  if (environment.NODE_DEBUG) {
    throw new SettingsError('NODE_DEBUG makes Node print requests, and the key with some of them: unset it.');
  }
  readProxies(environment);
  const file = readEnvFile(directory);
  const taken = file && takenFrom(file, environment);
  const given = own({ ...taken?.values, ...environment });
  if (file && given.BASE_URL === undefined) {
    check(given, directory);
    throw withoutTarget(file);
  }
  const settings = settingsOf(given, directory);
  if (needsTarget && given.BASE_URL === undefined) throw new SettingsError(NO_TARGET);
  return { ...settings, notices: [...(taken?.notices ?? []), ...settings.notices] };
}

/** Reads the settings from variables alone; paths are relative to the directory. Throws a SettingsError. */
export function settingsOf(variables: Given, directory: string): Settings {
  const given = own(variables);
  check(given, directory);
  const address = readTarget(given.BASE_URL, given.API_KEY);
  const names = Object.keys(settingsTable) as (keyof SettingValues)[];
  const values = names.map((name) => [name, readOne(name, given, directory)] as const);
  const set = Object.fromEntries(values.filter(([, value]) => value !== undefined)) as unknown as SettingValues;
  const { baseUrl: _, apiKey: __, headers, clientCert, clientKey, ca, only, skip, ...others } = set;
  const tls = readTls(clientCert, clientKey, ca);
  const target = address && { ...address, ...(headers.length > 0 && { headers }), ...(tls && { tls }) };
  if (others.start && !target) {
    throw new SettingsError('CONFORMANCE_START needs BASE_URL: the address at which the started service answers.');
  }
  if (others.failOn === 'regression' && !others.baseline) {
    throw new SettingsError(
      'CONFORMANCE_FAIL_ON is regression: it needs CONFORMANCE_BASELINE, the report of an earlier run.',
    );
  }
  return { ...(target && { target }), ...others, selection: { only, skip }, notices: noticesOn(target) };
}

/** Reads the key alone, from the same places, for what must not hold it; undefined where there is none. */
export function readKey(environment: NodeJS.ProcessEnv, directory: string): string | undefined {
  return readGiven(environment, directory).API_KEY;
}

/** Reads the report directory alone, from the same places, for what needs no target. */
export function readReportDir(environment: NodeJS.ProcessEnv, directory: string): string {
  return readOne('reportDir', readGiven(environment, directory), directory);
}

/** Reads the settings of these names alone, from the same places, for what sends nothing. Throws a SettingsError. */
export function readSome(
  names: readonly (keyof SettingValues)[],
  environment: NodeJS.ProcessEnv,
  directory: string,
): Settings {
  const given = readGiven(environment, directory);
  check(given, directory);
  const variables = names.map((name) => settingsTable[name].variable);
  return settingsOf(Object.fromEntries(variables.map((variable) => [variable, given[variable]])), directory);
}

/** Reads which requirements are wanted, from the same places, for what needs no target either. */
export function readSelection(environment: NodeJS.ProcessEnv, directory: string): Selection {
  const given = readGiven(environment, directory);
  return { only: readOne('only', given, directory), skip: readOne('skip', given, directory) };
}

/**
 * Refuses settings that were given by flags and have no effect, because of the rest. `flags` are their values by variable,
 * which the environment has, too. Throws a SettingsError.
 */
export function refuseIdleFlags(flags: Given, environment: NodeJS.ProcessEnv, directory: string): void {
  const given = readGiven(environment, directory);
  for (const { variable, flag, goesWith } of settingRows) {
    if (flags[variable] === undefined || goesWith === undefined) continue;
    const other: SettingRow = settingsTable[goesWith];
    if (['', '0', 'false'].includes(given[other.variable] ?? '')) {
      throw new SettingsError(`--${flag} has no effect without --${other.flag}.`);
    }
  }
}

function readGiven(environment: NodeJS.ProcessEnv, directory: string): Given {
  const file = readEnvFile(directory);
  return own({ ...(file && takenFrom(file, environment).values), ...environment });
}

/** The same without a prototype: nobody sets anything by changing that of all objects. */
function own(given: Given): Given {
  return Object.assign(Object.create(null), given);
}

function readOne<Name extends keyof SettingValues>(name: Name, given: Given, directory: string): SettingValues[Name] {
  const { variable, kind, default: fallback } = settingsTable[name];
  return kind.read(given[variable] || fallback, { variable, directory }) as SettingValues[Name];
}

function check(given: Given, directory: string): void {
  // First of all, for what else is wrong with a setting is told with its value.
  refuseKeyElsewhere(given, directory);
  refuseUnknown(given);
}

function refuseUnknown(given: Given): void {
  for (const name of Object.keys(given)) {
    const sentence = unknownName(name);
    if (sentence !== undefined) throw new SettingsError(sentence);
  }
}

/** Refuses a key that stands in another setting as well: reports and messages show those. */
function refuseKeyElsewhere(given: Given, directory: string): void {
  const rows = settingRows.map(({ variable }) => variable).filter((name) => name !== 'API_KEY');
  const shown = [...rows.map((name) => [name, given[name] ?? ''] as const), ['This folder', directory] as const];
  for (const [name, value] of shown) {
    if (!holdsKey(value, given.API_KEY)) continue;
    throw new SettingsError(`${name} holds the key, and reports show it: the key belongs into API_KEY alone.`);
  }
}

function noticesOn(target: Target | undefined): string[] {
  if (target === undefined || !isEveryday(target.apiKey)) return [];
  return [
    'API_KEY is short or a plain word: answers are not searched for it, and reports show it where it is only a word.',
  ];
}
