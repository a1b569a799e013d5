import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { decoded, readUpTo, SettingsError, unlessThrown } from './errors.ts';
import { nameOf } from './names.ts';
import { nearest } from './nearest.ts';
import { ownOnly } from './own.ts';
import { type SettingRow, type SettingValues, settingRows, settingsTable } from './table.ts';
import {
  checkTls,
  EMBEDDED,
  hideKey,
  holdsKey,
  isEveryday,
  NO_TARGET,
  readProxies,
  readTarget,
  type Target,
} from './target.ts';

export type { Target } from './target.ts';

/** The settings of a run, checked. */
export type Settings = ReturnType<typeof settingsOf>;

const everyday = () =>
  `${nameOf('API_KEY')} is short or a plain word: response bodies are not searched for it, and reports may show that word.`;

/** Seeds that the suite draws are below: as long as a number may be that `--seed` takes again. */
export const SEED_LIMIT = 1_000_000_000;

/**
 * Reads the settings from the environment and from `.env` in the working directory; the environment wins. With
 * `needsTarget` they must name a target. Throws a SettingsError.
 */
export function readSettings(
  variables: NodeJS.ProcessEnv,
  directory: string,
  needsTarget = false,
): Settings {
  const environment = ownOnly(variables);
  if (environment.NODE_DEBUG)
    throw new SettingsError(
      'NODE_DEBUG makes Node print requests, and the key with some of them: unset it.',
    );
  readProxies(environment);
  const { file, given, notices } = readVariables(environment, directory);
  if (file && given.BASE_URL === undefined) {
    check(given, directory);
    throw new SettingsError(withoutTarget(file));
  }
  const settings = settingsOf(given, directory);
  if (needsTarget && given.BASE_URL === undefined) throw new SettingsError(NO_TARGET);
  return { ...settings, notices: [...notices, ...settings.notices] };
}

/** Reads the settings from variables alone; paths are relative to the directory. Throws a SettingsError. */
export function settingsOf(variables: NodeJS.ProcessEnv, directory: string) {
  const given = ownOnly(variables);
  check(given, directory);
  const address = readTarget(given.BASE_URL, given.API_KEY);
  if (!given.CONFORMANCE_CLIENT_CERT !== !given.CONFORMANCE_CLIENT_KEY)
    throw new SettingsError(
      `${nameOf('CONFORMANCE_CLIENT_CERT')} and ${nameOf('CONFORMANCE_CLIENT_KEY')} go together: one of them is missing.`,
    );
  const values = Object.entries<SettingRow>(settingsTable).map(
    ([name, { variable, kind, default: fallback }]) => {
      const place = { name: nameOf(variable), directory };
      return [name, kind.read(given[variable] || fallback, place)] as const;
    },
  );
  const set = Object.fromEntries(values) as unknown as SettingValues;
  const {
    baseUrl: _,
    apiKey: __,
    headers,
    clientCert: cert,
    clientKey: key,
    ca,
    only,
    skip,
    ...others
  } = set;
  const tls = cert || ca ? { cert, key, ca } : undefined;
  if (tls) checkTls(tls);
  const target: Target | undefined = address && { ...address, headers, tls };
  if (others.start && !target)
    throw new SettingsError(
      `${nameOf('CONFORMANCE_START')} needs ${nameOf('BASE_URL')}: the address of the started service.`,
    );
  if (others.failOn === 'regression' && !others.baseline) {
    throw new SettingsError(
      `${nameOf('CONFORMANCE_FAIL_ON')} is regression: it needs ${nameOf('CONFORMANCE_BASELINE')}, the report of an earlier run.`,
    );
  }
  if (others.thorough) others.seed ??= randomInt(SEED_LIMIT);
  /** Sentences for the user that are no errors. */
  const notices = target && isEveryday(target.apiKey) ? [everyday()] : [];
  // Without a target the embedded reference service is judged.
  return { ...(target && { target }), ...others, selection: { only, skip }, notices };
}

/** Reads the settings of these names alone, from the same places, for what needs no target. Throws a SettingsError. */
export function readSome(
  names: readonly (keyof SettingValues)[],
  environment: NodeJS.ProcessEnv,
  directory: string,
) {
  const { given } = readVariables(environment, directory);
  check(given, directory);
  const variables = names.map((name) => settingsTable[name].variable);
  return settingsOf(
    Object.fromEntries(variables.map((variable) => [variable, given[variable]])),
    directory,
  );
}

/**
 * Refuses flags that have no effect, because of the rest. `flags` are their values by variable, which the environment
 * has, too. Throws a SettingsError.
 */
export function refuseIdleFlags(
  flags: NodeJS.ProcessEnv,
  environment: NodeJS.ProcessEnv,
  directory: string,
): void {
  const { given } = readVariables(environment, directory);
  const typed = ownOnly(flags);
  for (const { variable, flag, goesWith } of settingRows) {
    const other = typed[variable] !== undefined && goesWith && settingsTable[goesWith];
    if (other && ['', '0', 'false'].includes(given[other.variable] ?? ''))
      throw new SettingsError(`--${flag} has no effect without --${other.flag}.`);
  }
}

/**
 * What the environment, which wins, and `.env` of a folder set; where `CI` is set, the file gives no more than the
 * target. With sentences on what was taken from it and what was not, by names alone. Throws a SettingsError.
 */
export function readVariables(variables: NodeJS.ProcessEnv, directory: string) {
  const environment = ownOnly(variables);
  const file = readEnvFile(directory);
  const values = Object.entries(file ?? {});
  // In a CI a checkout must not choose what is started there, or where files are written.
  const counts = ([name]: [string, string]) =>
    !isCi(environment) || ['BASE_URL', 'API_KEY'].includes(name);
  const [taken, ignored] = [values.filter(counts), values.filter((one) => !counts(one))];
  const naming = (what: string, entries: [string, string][]) => {
    const names = entries.flatMap(([name, value]) =>
      value && environment[name] === undefined ? [name] : [],
    );
    const settings = names.filter((name) => VARIABLES.includes(name));
    return settings.length > 0 ? [`${what}: ${settings.join(', ')}`] : [];
  };
  const notices = [
    ...naming('from .env', taken),
    ...naming('not from .env, because CI is set', ignored),
  ];
  return { file, given: ownOnly({ ...Object.fromEntries(taken), ...environment }), notices };
}

/** Returns the message of an error, without the key that an environment or `.env` sets. */
export function messageWithoutKey(
  error: SettingsError,
  environment: NodeJS.ProcessEnv,
  directory: string,
): string {
  const read = unlessThrown(() => readVariables(environment, directory));
  return hideKey(error.message, read?.given.API_KEY);
}

const TARGET = 'a line BASE_URL=https://api.example.com/v1 and a line API_KEY=…';

/**
 * Reads `.env` of a folder, in UTF-8 or UTF-16: values by their variables; undefined where there is none. Throws a
 * SettingsError.
 */
function readEnvFile(directory: string): Record<string, string> | undefined {
  const path = join(directory, '.env');
  if (!existsSync(path)) return undefined;
  const refuse = (why: string) =>
    new SettingsError(
      `The file .env of this folder ${why}: it should be a text file with ${TARGET}.`,
    );
  // Hundreds of times as many bytes as one has.
  return parse(decoded(readUpTo(path, 1024 * 1024, refuse)));
}

/** Whether an environment is that of a CI. */
export function isCi(environment: NodeJS.ProcessEnv): boolean {
  const { CI = '' } = ownOnly(environment);
  return !['', '0', 'false'].includes(CI);
}

/**
 * What is wrong with a file that names no target: the run would judge the embedded reference service, and a green one
 * would say nothing. It shows no value, because one of them may be the key.
 */
function withoutTarget(values: Record<string, string>): string {
  const meant = Object.keys(values).flatMap((name) =>
    meantBy(name) ? `${name} (${meantBy(name)}?)` : [],
  );
  const seen = meant.length === 0 ? '' : `, it has ${meant.join(', ')}`;
  return `The file .env of this folder names no target${seen}: it needs ${TARGET}, or BASE_URL=${EMBEDDED} for the embedded reference service.`;
}

/**
 * Refuses a key that another setting holds as well, because reports and messages show those; then variables that are no
 * settings.
 */
function check(given: NodeJS.ProcessEnv, directory: string): void {
  const shown: NodeJS.ProcessEnv = { ...given, API_KEY: '', 'This folder': directory };
  const holder = [...VARIABLES, 'This folder'].find((name) =>
    holdsKey(shown[name] ?? '', given.API_KEY),
  );
  // First of all: other errors show the value of a setting.
  if (holder)
    throw new SettingsError(
      `${nameOf(holder)} holds the key, and reports show it: set it as ${nameOf('API_KEY')} alone.`,
    );
  const sentence = Object.keys(given).map(unknownName).find(Boolean);
  if (sentence !== undefined) throw new SettingsError(sentence);
}

const VARIABLES = settingRows.map(({ variable }) => variable);

/** The setting that somebody may have meant by the name of another variable. */
const meantBy = (name: string): string | undefined =>
  VARIABLES.includes(name) || name.length > 80 ? undefined : nearest(name, VARIABLES);

/**
 * What is wrong with a variable that begins like one of the suite and is no setting, a sentence; undefined for any
 * other.
 */
function unknownName(name: string): string | undefined {
  if (VARIABLES.includes(name) || !/^_*con?f/i.test(name)) return undefined;
  const meant = meantBy(name);
  if (meant?.startsWith('CONFORMANCE_')) return `${name} is not a setting: did you mean ${meant}?`;
  if (!/^CONFORMANCE_/i.test(name)) return undefined;
  const own = VARIABLES.filter((one) => one.startsWith('CONFORMANCE_'));
  return `${name} is not a setting; the settings are ${own.join(', ')}.`;
}
