import { randomInt } from 'node:crypto';
import { SEED_LIMIT } from './limits.ts';
import { readProxies } from './proxies.ts';
import type { Selection } from './selection.ts';
import { SettingsError } from './settings-error.ts';
import { type SettingRow, type SettingValues, settingRows, settingsTable } from './table.ts';
import { checkTls, isEveryday, NO_TARGET, readTarget, type Target } from './target.ts';
import { check, own, readVariables, type Variables, withoutTarget } from './variables.ts';

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

const EVERYDAY =
  'API_KEY is short or a plain word: response bodies are not searched for it, and reports may show that word.';

/**
 * Reads the settings from the environment and from `.env` in the working directory; the environment wins. With `needsTarget`
 * they must name a target. Throws a SettingsError.
 */
export function readSettings(environment: NodeJS.ProcessEnv, directory: string, needsTarget = false): Settings {
  if (environment.NODE_DEBUG) {
    throw new SettingsError('NODE_DEBUG makes Node print requests, and the key with some of them: unset it.');
  }
  readProxies(environment);
  const { file, given, notices } = readVariables(environment, directory);
  if (file && given.BASE_URL === undefined) {
    check(given, directory);
    throw withoutTarget(file);
  }
  const settings = settingsOf(given, directory);
  if (needsTarget && given.BASE_URL === undefined) throw new SettingsError(NO_TARGET);
  return { ...settings, notices: [...notices, ...settings.notices] };
}

/** Reads the settings from variables alone; paths are relative to the directory. Throws a SettingsError. */
export function settingsOf(variables: Variables, directory: string): Settings {
  const given = own(variables);
  check(given, directory);
  const address = readTarget(given.BASE_URL, given.API_KEY);
  if (!given.CONFORMANCE_CLIENT_CERT !== !given.CONFORMANCE_CLIENT_KEY) {
    throw new SettingsError('CONFORMANCE_CLIENT_CERT and CONFORMANCE_CLIENT_KEY go together: one of them is missing.');
  }
  const values = Object.entries<SettingRow>(settingsTable).map(([name, { variable, kind, default: fallback }]) => {
    return [name, kind.read(given[variable] || fallback, { variable, directory })] as const;
  });
  const set = Object.fromEntries(values) as unknown as SettingValues;
  const { baseUrl: _, apiKey: __, headers, clientCert: cert, clientKey: key, ca, only, skip, ...others } = set;
  const tls = (cert || ca) && { cert, key, ca };
  if (tls) checkTls(tls);
  const target = address && { ...address, ...(headers.length > 0 && { headers }), ...(tls && { tls }) };
  if (others.start && !target) {
    throw new SettingsError('CONFORMANCE_START needs BASE_URL: the address of the started service.');
  }
  if (others.failOn === 'regression' && !others.baseline) {
    throw new SettingsError(
      'CONFORMANCE_FAIL_ON is regression: it needs CONFORMANCE_BASELINE, the report of an earlier run.',
    );
  }
  if (others.thorough) others.seed ??= randomInt(SEED_LIMIT);
  const notices = target && isEveryday(target.apiKey) ? [EVERYDAY] : [];
  return { ...(target && { target }), ...others, selection: { only, skip }, notices };
}

/** Reads the key alone, from the same places, for what must not hold it; undefined where there is none. */
export function readKey(environment: NodeJS.ProcessEnv, directory: string): string | undefined {
  return readVariables(environment, directory).given.API_KEY;
}

/** Reads the settings of these names alone, from the same places, for what needs no target. Throws a SettingsError. */
export function readSome(names: readonly (keyof SettingValues)[], environment: NodeJS.ProcessEnv, directory: string) {
  const { given } = readVariables(environment, directory);
  check(given, directory);
  const variables = names.map((name) => settingsTable[name].variable);
  return settingsOf(Object.fromEntries(variables.map((variable) => [variable, given[variable]])), directory);
}

/**
 * Refuses flags that have no effect, because of the rest. `flags` are their values by variable, which the environment has, too.
 * Throws a SettingsError.
 */
export function refuseIdleFlags(flags: Variables, environment: NodeJS.ProcessEnv, directory: string): void {
  const { given } = readVariables(environment, directory);
  for (const { variable, flag, goesWith } of settingRows) {
    if (flags[variable] === undefined || goesWith === undefined) continue;
    const other = settingsTable[goesWith];
    if (['', '0', 'false'].includes(given[other.variable] ?? '')) {
      throw new SettingsError(`--${flag} has no effect without --${other.flag}.`);
    }
  }
}
