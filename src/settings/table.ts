import { resolve } from 'node:path';
import { readUpTo, SettingsError } from './errors.ts';
import { type Header, readHeaders } from './target.ts';

/** What the values of a setting are, and how one is read from its text. */
export interface Kind<Value> {
  /** The flag takes no value: it is on where it is given. */
  isSwitch?: true;
  /** The unit of a number: the variable's name ends in it. */
  unit?: string;
  /** The flag may be given several times: what stands between the values of the variable. */
  between?: ' ' | '\n';
  /**
   * Reads a text, which is empty where nothing is set and there is no default. Errors name the setting; paths are
   * found from the working directory. Throws a SettingsError.
   */
  read: (text: string, place: { name: string; directory: string }) => Value;
}

/** A text of any kind. */
const text: Kind<string> = { read: (given) => given };

/** A setting that may be left empty: it then has no value at all. */
const optional = <Value>(kind: Kind<Value>): Kind<Value | undefined> => ({
  ...kind,
  read: (given, place) => (given === '' ? undefined : kind.read(given, place)),
});

/** A kind of which `find` gives the value, or nothing where the text is not `what` it must be. */
function kindOf<Value>(what: string, find: (text: string) => Value | undefined): Kind<Value> {
  return {
    read: (given, { name }) => {
      const value = find(given);
      if (value !== undefined) return value;
      throw new SettingsError(`${name} is "${given}": it must be ${what}.`);
    },
  };
}

const ON_OFF = new Map(Object.entries({ 1: true, true: true, 0: false, false: false }));

const onOff: Kind<boolean> = {
  ...kindOf('1 or true for on, 0, false or empty for off', (given) => ON_OFF.get(given)),
  isSwitch: true,
};

/** A whole number in some unit, read as a number of the smaller unit that the code uses: `factor` of it. */
function whole(least: number, { most = 999_999_999, unit = '', factor = 1 } = {}): Kind<number> {
  const find = (given: string) => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    return number >= least && number <= most ? number * factor : undefined;
  };
  return { ...kindOf(`a whole number from ${least} to ${most}`, find), unit };
}

const milliseconds = (least: number) => whole(least, { unit: 'MS' });

const FAIL_ON = ['failure', 'regression'] as const;

const failures = kindOf('failure or regression', (given) => FAIL_ON.find((one) => one === given));

/** Slugs, or patterns of them, with spaces or commas between. */
const slugs: Kind<string[]> = {
  between: ' ',
  read: (given) => given.split(/[\s,]+/).filter((one) => one !== ''),
};

const DOMAIN = /^(?=.{1,190}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

const domain = kindOf('a domain name such as example.com', (given) =>
  DOMAIN.test(given) ? given : undefined,
);

/** A name in reports: at most 80 characters, without the space around them; no value where none is left. */
const shownName: Kind<string | undefined> = {
  read: (given, { name }) => {
    if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{0,80}$/u.test(given)) return given.trim() || undefined;
    throw new SettingsError(`${name} must be at most 80 characters, all of them printable.`);
  },
};

/** Headers, one a line: `Name: value`. */
const headerLines: Kind<Header[]> = { between: '\n', read: readHeaders };

/** A file to read: its absolute path, and the name by which it was given. */
const inputFile = optional({
  read: (given, { directory }) => ({ path: resolve(directory, given), name: given }),
});

/** The absolute path of a directory. */
const folder: Kind<string> = { read: (given, { directory }) => resolve(directory, given) };

/** A file for TLS: what it holds. */
const pem = (label: string) =>
  optional({
    read: (given, { name, directory }) => {
      const refuse = (why: string) => new SettingsError(`${name} is "${given}", which ${why}.`);
      // All the authorities that a system trusts are a quarter of it.
      const content = readUpTo(resolve(directory, given), 1024 * 1024, refuse).toString();
      if (new RegExp(`^-----BEGIN [A-Z0-9 ]*${label}-----$`, 'm').test(content)) return content;
      throw refuse(`holds no ${label.toLowerCase()} in PEM`);
    },
  });

/** A setting: its names, and what its values are. docs/settings.md says what it means. */
export interface SettingRow<Value = unknown> {
  variable: string;
  /** The command's flag without the dashes; the key has none, because a process list shows flags. */
  flag?: string;
  /** The setting without which this one has no effect. */
  goesWith?: 'baseUrl' | 'start' | 'thorough' | 'baseline';
  kind: Kind<Value>;
  /** The value where nothing is set. */
  default: string;
}

/**
 * A setting with a flag. Its variable is CONFORMANCE_, the flag's name and the unit, such as CONFORMANCE_TIMEOUT_MS.
 */
function setting<Value>(
  flag: string,
  kind: Kind<Value>,
  fallback = '',
  others: Partial<SettingRow<Value>> = {},
) {
  const words = ['CONFORMANCE', ...flag.split('-'), ...(kind.unit ? [kind.unit] : [])];
  return { variable: words.join('_').toUpperCase(), flag, kind, default: fallback, ...others };
}

/** A setting without a flag. */
const variable = <Value>(name: string, kind: Kind<Value>) => ({
  variable: name,
  kind,
  default: '',
});

/**
 * Every setting, by its name in the code. Reading the settings, their type and the flags follow from this table. A new
 * setting is a row here, and a line in src/cli/help.txt, src/api/judge-settings.ts, docs/settings.md, .env.example and
 * action.yml.
 */
export const settingsTable = {
  baseUrl: setting('base-url', text, '', { variable: 'BASE_URL' }),
  apiKey: variable('API_KEY', text),
  name: setting('name', shownName),
  start: setting('start', optional(text)),
  startTimeoutMs: setting('start-timeout', milliseconds(1), '60000', { goesWith: 'start' }),
  reuse: setting('reuse', onOff, '0', { goesWith: 'start' }),
  headers: setting('header', headerLines, '', {
    variable: 'CONFORMANCE_HEADERS',
    goesWith: 'baseUrl',
  }),
  clientCert: variable('CONFORMANCE_CLIENT_CERT', pem('CERTIFICATE')),
  clientKey: variable('CONFORMANCE_CLIENT_KEY', pem('PRIVATE KEY')),
  ca: variable('CONFORMANCE_CA', pem('CERTIFICATE')),
  strict: setting('strict', onOff, '0'),
  readOnly: setting('read-only', onOff, '0'),
  knownFailures: setting('known-failures', inputFile),
  baseline: setting('baseline', inputFile),
  failOn: setting('fail-on', failures, 'failure', { goesWith: 'baseline' }),
  reportDir: setting('report-dir', folder, 'reports'),
  only: setting('only', slugs),
  skip: setting('skip', slugs),
  thorough: setting('thorough', onOff, '0'),
  seed: setting('seed', optional(whole(0)), '', { goesWith: 'thorough' }),
  budgetMs: setting('budget', whole(1, { unit: 'S', most: 99_999, factor: 1000 }), '60', {
    goesWith: 'thorough',
  }),
  maxRequests: setting('max-requests', whole(1), '25000', { goesWith: 'thorough' }),
  maxUsers: setting('max-users', whole(1), '1500', { goesWith: 'thorough' }),
  bail: setting('bail', onOff, '0'),
  rate: setting('rate', optional(whole(1))),
  concurrency: setting('concurrency', optional(whole(1))),
  requestIds: setting('request-ids', onOff, '0'),
  timeoutMs: setting('timeout', milliseconds(1), '10000'),
  settleMs: setting('settle', milliseconds(0), '2000'),
  deadlineMs: setting('deadline', milliseconds(1), '600000'),
  // Node decodes at most 512 MiB into one string.
  bodyLimit: setting('body-limit', whole(1, { unit: 'MIB', most: 500, factor: 2 ** 20 }), '32'),
  emailDomain: setting('email-domain', domain, 'example.com'),
} as const satisfies Record<string, SettingRow>;

export const settingRows: readonly SettingRow[] = Object.values(settingsTable);

type Table = typeof settingsTable;

/** The values of all settings, read; bytes and milliseconds are numbers, paths are absolute. */
export type SettingValues = { [Name in keyof Table]: ReturnType<Table[Name]['kind']['read']> };
