import { headerLines } from './headers.ts';
import {
  domain,
  folder,
  inputFile,
  type Kind,
  mebibytes,
  milliseconds,
  onOff,
  optional,
  outputFile,
  seconds,
  shownName,
  slugs,
  text,
  wholeNumber,
} from './kinds.ts';

/** A setting: how it is called, what its values are, and what it means. */
export interface SettingRow {
  variable: string;
  /** The command's flag without the dashes; the key has none, because a process list shows flags. */
  flag?: string;
  /** The setting without which this one has no effect. */
  goesWith?: 'baseUrl' | 'start' | 'thorough';
  kind: Kind<unknown>;
  /** What is read where nothing is set. */
  default: string;
  /** For the help. */
  meaning: string;
}

/**
 * Every setting, by its name in the code. The reading of settings, their type, the command's flags and its help follow from
 * it; a further setting is a row here, and one in docs/settings.md, .env.example and action.yml.
 */
export const settingsTable = {
  baseUrl: {
    variable: 'BASE_URL',
    flag: 'base-url',
    kind: text('URL'),
    default: '',
    meaning: "the service's base address, ends in /v1; embedded-reference is the suite's own service",
  },
  apiKey: {
    variable: 'API_KEY',
    kind: text('KEY'),
    default: '',
    meaning: 'the key; needed when BASE_URL is set; environment or .env only',
  },
  name: {
    variable: 'CONFORMANCE_NAME',
    flag: 'name',
    kind: shownName,
    default: '',
    meaning: 'what reports call the implementation (default: host and port of the base address)',
  },
  start: {
    variable: 'CONFORMANCE_START',
    flag: 'start',
    kind: optional(text('COMMAND')),
    default: '',
    meaning: 'start the service by this command, and end it after the run',
  },
  startTimeoutMs: {
    variable: 'CONFORMANCE_START_TIMEOUT_MS',
    flag: 'start-timeout',
    goesWith: 'start',
    kind: milliseconds(1),
    default: '60000',
    meaning: 'milliseconds until the started service answers',
  },
  reuse: {
    variable: 'CONFORMANCE_REUSE',
    flag: 'reuse',
    goesWith: 'start',
    kind: onOff,
    default: '0',
    meaning: 'with --start: judge a service that answers already',
  },
  headers: {
    variable: 'CONFORMANCE_HEADERS',
    flag: 'header',
    goesWith: 'baseUrl',
    kind: headerLines,
    default: '',
    meaning: 'a header for every request, as a gateway may want; may stand several times',
  },
  clientCert: {
    variable: 'CONFORMANCE_CLIENT_CERT',
    kind: optional(inputFile),
    default: '',
    meaning: 'the file of a client certificate (PEM)',
  },
  clientKey: {
    variable: 'CONFORMANCE_CLIENT_KEY',
    kind: optional(inputFile),
    default: '',
    meaning: 'the file of its private key (PEM)',
  },
  ca: {
    variable: 'CONFORMANCE_CA',
    kind: optional(inputFile),
    default: '',
    meaning: 'the file of a certificate authority that is trusted besides the usual ones (PEM)',
  },
  strict: {
    variable: 'CONFORMANCE_STRICT',
    flag: 'strict',
    kind: onOff,
    default: '0',
    meaning: 'a failed SHOULD fails the run',
  },
  readOnly: {
    variable: 'CONFORMANCE_READ_ONLY',
    flag: 'read-only',
    kind: onOff,
    default: '0',
    meaning: 'nothing is created: what needs a creation is left out, and the report says so',
  },
  knownFailures: {
    variable: 'CONFORMANCE_KNOWN_FAILURES',
    flag: 'known-failures',
    kind: optional(inputFile),
    default: '',
    meaning: 'the file of accepted failures (YAML or JSON)',
  },
  writeKnownFailures: {
    variable: 'CONFORMANCE_WRITE_KNOWN_FAILURES',
    flag: 'write-known-failures',
    kind: optional(outputFile),
    default: '',
    meaning: "where this run's failures are written as such a file (JSON where the name ends in .json)",
  },
  reportDir: {
    variable: 'CONFORMANCE_REPORT_DIR',
    flag: 'report-dir',
    kind: folder,
    default: 'reports',
    meaning: 'where reports go',
  },
  only: {
    variable: 'CONFORMANCE_ONLY',
    flag: 'only',
    kind: slugs,
    default: '',
    meaning: 'judge these requirements alone; * stands for any characters',
  },
  skip: {
    variable: 'CONFORMANCE_SKIP',
    flag: 'skip',
    kind: slugs,
    default: '',
    meaning: 'leave these requirements out',
  },
  thorough: {
    variable: 'CONFORMANCE_THOROUGH',
    flag: 'thorough',
    kind: onOff,
    default: '0',
    meaning: 'explores further: hundreds of users, thousands of requests, chosen at random from a seed',
  },
  seed: {
    variable: 'CONFORMANCE_SEED',
    flag: 'seed',
    goesWith: 'thorough',
    kind: optional(wholeNumber(0)),
    default: '',
    meaning: 'seed of the random choices: the same seed, the same choices (default: a new one)',
  },
  budgetMs: {
    variable: 'CONFORMANCE_BUDGET_S',
    flag: 'budget',
    goesWith: 'thorough',
    kind: seconds,
    default: '60',
    meaning: 'seconds for the exploration; the deadline of the run is that much later',
  },
  maxRequests: {
    variable: 'CONFORMANCE_MAX_REQUESTS',
    flag: 'max-requests',
    goesWith: 'thorough',
    kind: wholeNumber(1),
    default: '3000',
    meaning: 'requests of a thorough run, about',
  },
  maxUsers: {
    variable: 'CONFORMANCE_MAX_USERS',
    flag: 'max-users',
    goesWith: 'thorough',
    kind: wholeNumber(1),
    default: '300',
    meaning: 'users that a thorough run creates, about',
  },
  timeoutMs: {
    variable: 'CONFORMANCE_TIMEOUT_MS',
    flag: 'timeout',
    kind: milliseconds(1),
    default: '10000',
    meaning: 'milliseconds for one answer',
  },
  settleMs: {
    variable: 'CONFORMANCE_SETTLE_MS',
    flag: 'settle',
    kind: milliseconds(0),
    default: '2000',
    meaning: 'milliseconds that a read may lag behind a write',
  },
  deadlineMs: {
    variable: 'CONFORMANCE_DEADLINE_MS',
    flag: 'deadline',
    kind: milliseconds(1),
    default: '120000',
    meaning: 'milliseconds for the whole run',
  },
  bodyLimit: {
    variable: 'CONFORMANCE_BODY_LIMIT_MIB',
    flag: 'body-limit',
    kind: mebibytes,
    default: '64',
    meaning: 'mebibytes of one decoded body that are read at most',
  },
  emailDomain: {
    variable: 'CONFORMANCE_EMAIL_DOMAIN',
    flag: 'email-domain',
    kind: domain,
    default: 'example.com',
    meaning: "domain of the created users' addresses",
  },
} as const satisfies Record<string, SettingRow>;

export const settingRows: readonly SettingRow[] = Object.values(settingsTable);

type Table = typeof settingsTable;
type ValueOf<Name extends keyof Table> = ReturnType<Table[Name]['kind']['read']>;
type MayBeAbsent = { [Name in keyof Table]: undefined extends ValueOf<Name> ? Name : never }[keyof Table];

/** The values of all settings, read; bytes and milliseconds are numbers, paths are absolute. */
export type SettingValues = { [Name in Exclude<keyof Table, MayBeAbsent>]: ValueOf<Name> } & {
  [Name in MayBeAbsent]?: Exclude<ValueOf<Name>, undefined>;
};
