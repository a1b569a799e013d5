import { randomInt } from 'node:crypto';
import { SettingsError, unlessThrown } from './errors.ts';
import { nameOf } from './names.ts';
import { ownOnly } from './own.ts';
import type { Selection } from './selection.ts';
import { type SettingRow, type SettingValues, settingRows, settingsTable } from './table.ts';
import {
  checkTls,
  EMBEDDED,
  hideKey,
  isEveryday,
  NO_TARGET,
  readProxies,
  readTarget,
  type Target,
} from './target.ts';
import { checkVariables, ENV_FILE_LINES, readVariables, suggestVariable } from './variables.ts';

export type { Target } from './target.ts';

/** Settings that are grouped in `target` and `selection`. */
type GroupedSetting =
  | 'baseUrl'
  | 'apiKey'
  | 'headers'
  | 'clientCert'
  | 'clientKey'
  | 'ca'
  | 'only'
  | 'skip';

/** The checked settings of a run. */
export interface Settings extends Omit<SettingValues, GroupedSetting> {
  /** Absent if the run judges the embedded reference service. */
  target?: Target;
  selection: Selection;
  /** Sentences for the user that are no errors. */
  notices: string[];
}

/** Drawn seeds are below this limit, so that `--seed` accepts them. */
export const SEED_LIMIT = 1_000_000_000;

/**
 * Reads the settings from the environment and from `.env` in a directory. The environment wins.
 * With `needsTarget`, a target must be set. Throws a SettingsError.
 */
export function readSettings(
  variables: NodeJS.ProcessEnv,
  directory: string,
  { needsTarget = false }: { needsTarget?: boolean } = {},
): Settings {
  const environment = ownOnly(variables);
  if (environment.NODE_DEBUG)
    throw new SettingsError(
      'NODE_DEBUG makes Node print requests, and the key with some of them: unset it.',
    );
  readProxies(environment);
  const { values, envFile, notices } = readVariables(environment, directory);
  const hasAddress = values.BASE_URL !== undefined;
  if (envFile && !hasAddress) {
    checkVariables(values, directory);
    throw new SettingsError(noTargetText(envFile));
  }
  const settings = parseSettings(values, directory);
  if (needsTarget && !hasAddress) throw new SettingsError(NO_TARGET);
  return { ...settings, notices: [...notices, ...settings.notices] };
}

/**
 * Reads the settings from variables alone. Paths are relative to the directory. Throws a
 * SettingsError.
 */
export function parseSettings(variables: NodeJS.ProcessEnv, directory: string): Settings {
  const texts = ownOnly(variables);
  checkVariables(texts, directory);
  const address = readTarget(texts.BASE_URL, texts.API_KEY);
  if (!texts.CONFORMANCE_CLIENT_CERT !== !texts.CONFORMANCE_CLIENT_KEY)
    throw new SettingsError(
      `${nameOf('CONFORMANCE_CLIENT_CERT')} and ${nameOf('CONFORMANCE_CLIENT_KEY')} go together: one of them is missing.`,
    );
  const {
    baseUrl: _baseUrl,
    apiKey: _apiKey,
    headers,
    clientCert: cert,
    clientKey: key,
    ca,
    only,
    skip,
    ...values
  } = parseValues(texts, directory);
  const tls = cert || ca ? { cert, key, ca } : undefined;
  if (tls) checkTls(tls);
  const target: Target | undefined = address && { ...address, headers, tls };
  if (values.start && !target)
    throw new SettingsError(
      `${nameOf('CONFORMANCE_START')} needs ${nameOf('BASE_URL')}: the address of the started service.`,
    );
  if (values.failOn === 'regression' && !values.baseline) {
    throw new SettingsError(
      `${nameOf('CONFORMANCE_FAIL_ON')} is regression: it needs ${nameOf('CONFORMANCE_BASELINE')}, the report of an earlier run.`,
    );
  }
  if (values.thorough) values.seed ??= randomInt(SEED_LIMIT);
  const notices = target && isEveryday(target.apiKey) ? [everydayKeyText()] : [];
  return { ...(target && { target }), ...values, selection: { only, skip }, notices };
}

/** Reads the text of each setting, or its default. */
function parseValues(texts: NodeJS.ProcessEnv, directory: string): SettingValues {
  const entries = Object.entries<SettingRow>(settingsTable).map(([name, row]) => {
    const text = texts[row.variable] || row.default;
    return [name, row.kind.read(text, { name: nameOf(row.variable), directory })];
  });
  return Object.fromEntries(entries);
}

/**
 * Reads certain settings alone, from the environment and `.env`, for commands without a target.
 * Throws a SettingsError.
 */
export function pickSettings(
  names: readonly (keyof SettingValues)[],
  environment: NodeJS.ProcessEnv,
  directory: string,
): Settings {
  const { values } = readVariables(environment, directory);
  checkVariables(values, directory);
  const variables = names.map((name) => settingsTable[name].variable);
  const picked = Object.fromEntries(variables.map((variable) => [variable, values[variable]]));
  return parseSettings(picked, directory);
}

/**
 * Refuses flags that have no effect because another setting is off. `flags` has their values by
 * variable, which the environment has, too. Throws a SettingsError.
 */
export function refuseIdleFlags(
  flags: NodeJS.ProcessEnv,
  environment: NodeJS.ProcessEnv,
  directory: string,
): void {
  const { values } = readVariables(environment, directory);
  const flagValues = ownOnly(flags);
  for (const { variable, flag, goesWith } of settingRows) {
    if (flagValues[variable] === undefined || goesWith === undefined) continue;
    const required = settingsTable[goesWith];
    if (['', '0', 'false'].includes(values[required.variable] ?? ''))
      throw new SettingsError(`--${flag} has no effect without --${required.flag}.`);
  }
}

/** Returns the message of an error, without the key that an environment or `.env` sets. */
export function messageWithoutKey(
  error: SettingsError,
  environment: NodeJS.ProcessEnv,
  directory: string,
): string {
  const variables = unlessThrown(() => readVariables(environment, directory));
  return hideKey(error.message, variables?.values.API_KEY);
}

/**
 * Says that `.env` names no target: a run on the embedded reference service would pass without
 * having checked anything. Shows no value, because it may be the key.
 */
function noTargetText(envFile: Record<string, string>): string {
  const misspelt = Object.keys(envFile).flatMap((name) => {
    const suggestion = suggestVariable(name);
    return suggestion ? `${name} (${suggestion}?)` : [];
  });
  const list = misspelt.length === 0 ? '' : `, it has ${misspelt.join(', ')}`;
  return `The file .env of this folder names no target${list}: it needs ${ENV_FILE_LINES}, or BASE_URL=${EMBEDDED} for the embedded reference service.`;
}

function everydayKeyText(): string {
  return `${nameOf('API_KEY')} is short or a plain word: response bodies are not searched for it, and reports may show that word.`;
}
