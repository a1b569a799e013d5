import { resolve } from 'node:path';
import { SettingsError } from './errors.ts';
import { readUpTo } from './files.ts';
import { type Header, readHeaders } from './target.ts';

/** A kind of values. */
export interface Kind<Value> {
  /** Whether the flag takes no value: it is on if it is given. */
  isSwitch?: true;
  /** The unit of a number, with which the name of the variable ends. */
  unit?: string;
  /** The separator of a variable with several values. The flag may be repeated. */
  separator?: ' ' | '\n';
  /** Reads a text, which is empty if there is neither a value nor a default. Throws a SettingsError. */
  read: (text: string, context: KindContext) => Value;
}

interface KindContext {
  /** The name of the setting, for errors. */
  name: string;
  /** The directory to which paths are relative. */
  directory: string;
}

/** Any text. */
const anyText: Kind<string> = { read: (text) => text };

/** Returns a kind whose value is undefined if the text is empty. */
const optional = <Value>(kind: Kind<Value>): Kind<Value | undefined> => ({
  ...kind,
  read: (text, context) => (text === '' ? undefined : kind.read(text, context)),
});

/**
 * Returns a kind with a parser, which returns undefined if the text is not as `expected`, a phrase.
 */
function makeKind<Value>(
  expected: string,
  parse: (text: string) => Value | undefined,
): Kind<Value> {
  return {
    read: (text, { name }) => {
      const value = parse(text);
      if (value !== undefined) return value;
      throw new SettingsError(`${name} is "${text}": it must be ${expected}.`);
    },
  };
}

const ON_OFF = new Map(Object.entries({ 1: true, true: true, 0: false, false: false }));

const onOff: Kind<boolean> = {
  ...makeKind('1 or true for on, 0, false or empty for off', (text) => ON_OFF.get(text)),
  isSwitch: true,
};

/** Returns the kind of whole numbers in a unit. `factor` converts the unit to that of the code. */
export function wholeNumber(
  least: number,
  { most = 999_999_999, unit = '', factor = 1 } = {},
): Kind<number> {
  const parse = (text: string) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number * factor : undefined;
  };
  return { ...makeKind(`a whole number from ${least} to ${most}`, parse), unit };
}

const milliseconds = (least: number) => wholeNumber(least, { unit: 'MS' });

const FAIL_ON = ['failure', 'regression'] as const;

const failOn = makeKind('failure or regression', (text) =>
  FAIL_ON.find((choice) => choice === text),
);

/** Slugs or patterns of them, separated by spaces or commas. */
const slugs: Kind<string[]> = {
  separator: ' ',
  read: (text) => text.split(/[\s,]+/).filter((slug) => slug !== ''),
};

const DOMAIN = /^(?=.{1,190}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

const domain = makeKind('a domain name such as example.com', (text) =>
  DOMAIN.test(text) ? text : undefined,
);

/** A name for reports, without surrounding spaces; undefined if nothing is left. */
const reportName: Kind<string | undefined> = {
  read: (text, { name }) => {
    if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{0,80}$/u.test(text)) return text.trim() || undefined;
    throw new SettingsError(`${name} must be at most 80 characters, all of them printable.`);
  },
};

/** Headers `Name: value`, one a line. */
const headerLines: Kind<Header[]> = {
  separator: '\n',
  read: (text, { name }) => readHeaders(text, name),
};

/** A file to read: its absolute path and the path as the user gave it. */
const inputFile = optional({
  read: (text, { directory }) => ({ path: resolve(directory, text), name: text }),
});

/** The absolute path of a directory. */
const folder: Kind<string> = { read: (text, { directory }) => resolve(directory, text) };

/** Returns the kind of the content of a PEM file. */
const pemFile = (label: string) =>
  optional({
    read: (text, { name, directory }) => {
      const toError = (clause: string) =>
        new SettingsError(`${name} is "${text}", which ${clause}.`);
      // A quarter of a MiB is enough for all CAs that a system trusts.
      const content = readUpTo(resolve(directory, text), 1024 * 1024, toError).toString();
      if (new RegExp(`^-----BEGIN [A-Z0-9 ]*${label}-----$`, 'm').test(content)) return content;
      throw toError(`holds no ${label.toLowerCase()} in PEM`);
    },
  });

/** A setting. docs/settings.md describes it. */
export interface SettingRow<Value = unknown> {
  variable: string;
  /** The flag without dashes. The key has none, because a process list shows flags. */
  flag?: string;
  /** The setting without which this one has no effect. */
  goesWith?: 'baseUrl' | 'start' | 'thorough' | 'baseline';
  kind: Kind<Value>;
  /** The value if nothing is set. */
  default: string;
}

/**
 * Returns a setting with a flag. Its variable has the names of the flag and the unit, as in
 * CONFORMANCE_TIMEOUT_MS.
 */
function setting<Value>(
  flag: string,
  kind: Kind<Value>,
  defaultText = '',
  more: Partial<SettingRow<Value>> = {},
) {
  const words = ['CONFORMANCE', ...flag.split('-'), ...(kind.unit ? [kind.unit] : [])];
  return { variable: words.join('_').toUpperCase(), flag, kind, default: defaultText, ...more };
}

/** Returns a setting without a flag. */
function withoutFlag<Value>(variable: string, kind: Kind<Value>) {
  return { variable, kind, default: '' };
}

/**
 * All settings by their names in the code. A new setting needs a row here and a line in
 * src/cli/help.txt, src/api/judge-settings.ts, docs/settings.md, .env.example and action.yml.
 */
export const settingsTable = {
  baseUrl: setting('base-url', anyText, '', { variable: 'BASE_URL' }),
  apiKey: withoutFlag('API_KEY', anyText),
  name: setting('name', reportName),
  start: setting('start', optional(anyText)),
  startTimeoutMs: setting('start-timeout', milliseconds(1), '60000', { goesWith: 'start' }),
  reuse: setting('reuse', onOff, '0', { goesWith: 'start' }),
  headers: setting('header', headerLines, '', {
    variable: 'CONFORMANCE_HEADERS',
    goesWith: 'baseUrl',
  }),
  clientCert: withoutFlag('CONFORMANCE_CLIENT_CERT', pemFile('CERTIFICATE')),
  clientKey: withoutFlag('CONFORMANCE_CLIENT_KEY', pemFile('PRIVATE KEY')),
  ca: withoutFlag('CONFORMANCE_CA', pemFile('CERTIFICATE')),
  strict: setting('strict', onOff, '0'),
  readOnly: setting('read-only', onOff, '0'),
  knownFailures: setting('known-failures', inputFile),
  baseline: setting('baseline', inputFile),
  failOn: setting('fail-on', failOn, 'failure', { goesWith: 'baseline' }),
  reportDir: setting('report-dir', folder, 'reports'),
  only: setting('only', slugs),
  skip: setting('skip', slugs),
  allRequests: setting('all-requests', onOff, '0'),
  thorough: setting('thorough', onOff, '0'),
  seed: setting('seed', optional(wholeNumber(0)), '', { goesWith: 'thorough' }),
  budgetMs: setting('budget', wholeNumber(1, { unit: 'S', most: 99_999, factor: 1000 }), '60', {
    goesWith: 'thorough',
  }),
  maxRequests: setting('max-requests', wholeNumber(1), '25000', { goesWith: 'thorough' }),
  maxUsers: setting('max-users', wholeNumber(1), '1500', { goesWith: 'thorough' }),
  bail: setting('bail', onOff, '0'),
  rate: setting('rate', optional(wholeNumber(1))),
  concurrency: setting('concurrency', optional(wholeNumber(1))),
  requestIds: setting('request-ids', onOff, '0'),
  timeoutMs: setting('timeout', milliseconds(1), '10000'),
  settleMs: setting('settle', milliseconds(0), '2000'),
  deadlineMs: setting('deadline', milliseconds(1), '600000'),
  // Node decodes at most 512 MiB into one string.
  bodyLimit: setting(
    'body-limit',
    wholeNumber(1, { unit: 'MIB', most: 500, factor: 2 ** 20 }),
    '32',
  ),
  emailDomain: setting('email-domain', domain, 'example.com'),
} as const satisfies Record<string, SettingRow>;

export const settingRows: readonly SettingRow[] = Object.values(settingsTable);

type Table = typeof settingsTable;

/** The values of all settings. Sizes are in bytes, times in milliseconds, paths are absolute. */
export type SettingValues = { [Name in keyof Table]: ReturnType<Table[Name]['kind']['read']> };
