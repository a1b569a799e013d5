import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'dotenv';
import type { Selection } from './selection.ts';
import { SettingsError } from './settings-error.ts';

interface SettingRow {
  variable: string;
  /** The command's flag without the dashes; the key has none, because a process list shows flags. */
  flag?: string;
  /** What follows the flag; a flag without it is a switch. */
  value?: string;
  /** Several values may follow. */
  list?: true;
  default: string;
  meaning: string;
}

/** Every setting, for the reading of settings, the command's flags and its help. */
export const settingRows = [
  {
    variable: 'BASE_URL',
    flag: 'base-url',
    value: 'URL',
    default: '',
    meaning: "the target's base address, ends in /v1 (default: the embedded reference service)",
  },
  { variable: 'API_KEY', default: '', meaning: 'the key; needed when BASE_URL is set; environment or .env only' },
  {
    variable: 'CONFORMANCE_NAME',
    flag: 'name',
    value: 'NAME',
    default: '',
    meaning: 'what reports call the implementation (default: host and port of the base address)',
  },
  { variable: 'CONFORMANCE_STRICT', flag: 'strict', default: '0', meaning: 'a failed SHOULD closes the gate' },
  {
    variable: 'CONFORMANCE_READ_ONLY',
    flag: 'read-only',
    default: '0',
    meaning: 'nothing is created: what needs a creation is left out, and the report says so',
  },
  {
    variable: 'CONFORMANCE_KNOWN_FAILURES',
    flag: 'known-failures',
    value: 'FILE',
    default: '',
    meaning: 'the file of accepted failures (YAML or JSON)',
  },
  {
    variable: 'CONFORMANCE_WRITE_KNOWN_FAILURES',
    flag: 'write-known-failures',
    value: 'FILE',
    default: '',
    meaning: "where this run's failures are written as such a file (JSON where the name ends in .json)",
  },
  {
    variable: 'CONFORMANCE_REPORT_DIR',
    flag: 'report-dir',
    value: 'DIR',
    default: 'reports',
    meaning: 'where reports go',
  },
  {
    variable: 'CONFORMANCE_ONLY',
    flag: 'only',
    value: 'SLUG…',
    list: true,
    default: '',
    meaning: 'judge these requirements alone; * stands for any characters',
  },
  {
    variable: 'CONFORMANCE_SKIP',
    flag: 'skip',
    value: 'SLUG…',
    list: true,
    default: '',
    meaning: 'leave these requirements out',
  },
  {
    variable: 'CONFORMANCE_TIMEOUT_MS',
    flag: 'timeout',
    value: 'MS',
    default: '10000',
    meaning: 'milliseconds for one answer',
  },
  {
    variable: 'CONFORMANCE_SETTLE_MS',
    flag: 'settle',
    value: 'MS',
    default: '2000',
    meaning: 'milliseconds that a read may lag behind a write',
  },
  {
    variable: 'CONFORMANCE_DEADLINE_MS',
    flag: 'deadline',
    value: 'MS',
    default: '120000',
    meaning: 'milliseconds for the whole run',
  },
  {
    variable: 'CONFORMANCE_BODY_LIMIT_MIB',
    flag: 'body-limit',
    value: 'MIB',
    default: '64',
    meaning: 'mebibytes of one decoded body that are read at most',
  },
  {
    variable: 'CONFORMANCE_EMAIL_DOMAIN',
    flag: 'email-domain',
    value: 'DOMAIN',
    default: 'example.com',
    meaning: "domain of the created users' addresses",
  },
] as const satisfies readonly SettingRow[];

type Variable = (typeof settingRows)[number]['variable'];

/** The service to judge. */
export interface Target {
  baseUrl: string;
  apiKey: string;
}

/** The settings of a run, checked. Paths are absolute. */
export interface Settings {
  /** Absent: the embedded reference service. */
  target?: Target;
  /** What the person calls the implementation. */
  name?: string;
  strict: boolean;
  readOnly: boolean;
  /** The file of failures that are accepted: its path, and what the person calls it. */
  knownFailures?: { path: string; name: string };
  /** Where the failures of this run are written as a file of known failures. */
  writeKnownFailures?: string;
  reportDir: string;
  timeoutMs: number;
  settleMs: number;
  deadlineMs: number;
  /** Bytes. */
  bodyLimit: number;
  emailDomain: string;
  selection: Selection;
  /** Sentences for the person that are no errors. */
  notices: string[];
}

/**
 * Reads the settings from the environment and from `.env` in the working directory; the environment wins. Throws a
 * SettingsError.
 */
export function readSettings(environment: NodeJS.ProcessEnv, directory: string): Settings {
  const values = readValues(environment, directory);
  refuseUnknown(values);
  const value = (variable: Variable) => values[variable] || defaultOf(variable);
  const target = readTarget(values.BASE_URL, values.API_KEY);
  const name = readName(value('CONFORMANCE_NAME'), target);
  const knownFailures = value('CONFORMANCE_KNOWN_FAILURES');
  const written = value('CONFORMANCE_WRITE_KNOWN_FAILURES');
  return {
    ...(target && { target }),
    ...(name && { name }),
    strict: readBoolean('CONFORMANCE_STRICT', value('CONFORMANCE_STRICT')),
    readOnly: readBoolean('CONFORMANCE_READ_ONLY', value('CONFORMANCE_READ_ONLY')),
    ...(knownFailures && { knownFailures: { path: resolve(directory, knownFailures), name: knownFailures } }),
    reportDir: readReportDir(environment, directory),
    ...(written && { writeKnownFailures: readWritable('CONFORMANCE_WRITE_KNOWN_FAILURES', written, directory) }),
    timeoutMs: readMilliseconds('CONFORMANCE_TIMEOUT_MS', value('CONFORMANCE_TIMEOUT_MS'), 1),
    settleMs: readMilliseconds('CONFORMANCE_SETTLE_MS', value('CONFORMANCE_SETTLE_MS'), 0),
    deadlineMs: readMilliseconds('CONFORMANCE_DEADLINE_MS', value('CONFORMANCE_DEADLINE_MS'), 1),
    bodyLimit: readMebibytes('CONFORMANCE_BODY_LIMIT_MIB', value('CONFORMANCE_BODY_LIMIT_MIB')),
    emailDomain: readDomain(value('CONFORMANCE_EMAIL_DOMAIN')),
    selection: readSelection(environment, directory),
    notices:
      target === undefined && values.API_KEY
        ? ['API_KEY is set but BASE_URL is not: this run judges the embedded reference service, not yours.']
        : [],
  };
}

/** Reads the report directory alone, from the same places, for what needs no target. */
export function readReportDir(environment: NodeJS.ProcessEnv, directory: string): string {
  const { CONFORMANCE_REPORT_DIR } = readValues(environment, directory);
  return resolve(directory, CONFORMANCE_REPORT_DIR || defaultOf('CONFORMANCE_REPORT_DIR'));
}

/** Reads which requirements are wanted, from the same places, for what needs no target either. */
export function readSelection(environment: NodeJS.ProcessEnv, directory: string): Selection {
  const { CONFORMANCE_ONLY = '', CONFORMANCE_SKIP = '' } = readValues(environment, directory);
  const patterns = (value: string) => value.split(/[\s,]+/).filter((one) => one !== '');
  return { only: patterns(CONFORMANCE_ONLY), skip: patterns(CONFORMANCE_SKIP) };
}

function readValues(environment: NodeJS.ProcessEnv, directory: string): Record<string, string | undefined> {
  const file = join(directory, '.env');
  return { ...(existsSync(file) ? parse(readFileSync(file)) : {}), ...environment };
}

function defaultOf(variable: Variable): string {
  return settingRows.find((row) => row.variable === variable)?.default ?? '';
}

function refuseUnknown(values: Record<string, string | undefined>): void {
  const known: string[] = settingRows.map((row) => row.variable);
  const unknown = Object.keys(values).find((name) => name.startsWith('CONFORMANCE_') && !known.includes(name));
  if (unknown !== undefined) {
    const ours = known.filter((name) => name.startsWith('CONFORMANCE_')).join(', ');
    throw new SettingsError(`${unknown} is no setting of this suite; the settings are ${ours}.`);
  }
}

function readTarget(baseUrl: string | undefined, apiKey: string | undefined): Target | undefined {
  if (baseUrl === undefined) return undefined;
  if (baseUrl === '') {
    // In CI an undefined secret arrives as the empty string: falling back to the reference would be a false green.
    throw new SettingsError(
      'BASE_URL is set but empty: give it the base address of the service, or unset it to judge the embedded reference.',
    );
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(baseUrl)) {
    throw new SettingsError('BASE_URL must be an http or https address such as https://api.example.com/v1.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new SettingsError('BASE_URL must carry no user, password, query or fragment: the key goes into API_KEY.');
  }
  if (!apiKey) throw new SettingsError('API_KEY is missing: set it in the environment or in .env (there is no flag).');
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(apiKey)) {
    throw new SettingsError(
      "API_KEY begins or ends with white space or has characters that can't stand in an HTTP header: check how it was set.",
    );
  }
  if (isOrdinary(apiKey)) {
    throw new SettingsError(
      'API_KEY is too short, or a word that answers hold anyway: it could not be kept out of reports. Use a longer key.',
    );
  }
  return { baseUrl, apiKey };
}

/** Whether a key would be found where nobody put it: in ordinary answers, addresses and numbers. */
function isOrdinary(key: string): boolean {
  return (
    key.length < 4 ||
    /^(\d{1,7}|api|v1|users?|data|total|emails?|names?|bearer|token|https?|json|true|false|null)$/i.test(key)
  );
}

function readName(value: string, target: Target | undefined): string {
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{0,80}$/u.test(value)) {
    throw new SettingsError('CONFORMANCE_NAME must be at most 80 characters, all of them printable.');
  }
  if (target && value.includes(target.apiKey)) {
    throw new SettingsError('CONFORMANCE_NAME holds the key, and reports show the name: choose another.');
  }
  return value.trim();
}

/** The path of a file that can be written, there or in a folder that is yet to be made. */
function readWritable(variable: string, value: string, directory: string): string {
  const file = resolve(directory, value);
  let place = file;
  while (!existsSync(place)) place = dirname(place);
  try {
    accessSync(place, constants.W_OK);
    if (statSync(place).isDirectory() !== (place === file)) return file;
  } catch {}
  throw new SettingsError(`${variable} is "${value}": no file can be written there.`);
}

function readBoolean(name: string, value: string): boolean {
  if (['1', 'true'].includes(value)) return true;
  if (['0', 'false'].includes(value)) return false;
  throw new SettingsError(`${name} is "${value}": on is 1 or true, off is 0, false or empty.`);
}

function readMilliseconds(name: string, value: string, least: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least) return number;
  throw new SettingsError(`${name} is "${value}": it must be a whole number of milliseconds, ${least} or more.`);
}

function readMebibytes(name: string, value: string): number {
  // Node decodes at most 512 MiB into one string.
  const number = /^\d{1,3}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= 1 && number <= 500) return number * 1024 * 1024;
  throw new SettingsError(`${name} is "${value}": it must be a whole number of mebibytes from 1 to 500.`);
}

function readDomain(value: string): string {
  if (/^(?=.{1,190}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(value)) return value;
  throw new SettingsError(`CONFORMANCE_EMAIL_DOMAIN is "${value}": it must be a domain name such as example.com.`);
}
