import { headerLines } from './headers.ts';
import {
  domain,
  folder,
  inputFile,
  mebibytes,
  milliseconds,
  oneOf,
  onOff,
  optional,
  outputFile,
  seconds,
  shownName,
  slugs,
  text,
  wholeNumber,
} from './kinds.ts';
import type { SettingRow } from './setting-row.ts';

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
    meaning: 'name of the implementation in reports (default: host and port)',
  },
  start: {
    variable: 'CONFORMANCE_START',
    flag: 'start',
    kind: optional(text('COMMAND')),
    default: '',
    meaning: 'command that starts the service; it is stopped after the run',
  },
  startTimeoutMs: {
    variable: 'CONFORMANCE_START_TIMEOUT_MS',
    flag: 'start-timeout',
    goesWith: 'start',
    kind: milliseconds(1),
    default: '60000',
    meaning: 'how long the started service may take to respond (ms)',
  },
  reuse: {
    variable: 'CONFORMANCE_REUSE',
    flag: 'reuse',
    goesWith: 'start',
    kind: onOff,
    default: '0',
    meaning: 'with --start: use a service that is already running',
  },
  headers: {
    variable: 'CONFORMANCE_HEADERS',
    flag: 'header',
    goesWith: 'baseUrl',
    kind: headerLines,
    default: '',
    meaning: 'extra header for every request, e.g. for a gateway (repeatable)',
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
    meaning: 'create nothing; skip checks that need to (noted in the report)',
  },
  knownFailures: {
    variable: 'CONFORMANCE_KNOWN_FAILURES',
    flag: 'known-failures',
    kind: optional(inputFile),
    default: '',
    meaning: 'file of accepted failures (YAML or JSON)',
  },
  writeKnownFailures: {
    variable: 'CONFORMANCE_WRITE_KNOWN_FAILURES',
    flag: 'write-known-failures',
    kind: optional(outputFile),
    default: '',
    meaning: "write this run's failures to such a file (JSON if the name ends in .json)",
  },
  baseline: {
    variable: 'CONFORMANCE_BASELINE',
    flag: 'baseline',
    kind: optional(inputFile),
    default: '',
    meaning: 'conformance.json of an earlier run: show first what has changed since',
  },
  failOn: {
    variable: 'CONFORMANCE_FAIL_ON',
    flag: 'fail-on',
    goesWith: 'baseline',
    kind: oneOf(['failure', 'regression']),
    default: 'failure',
    meaning: 'failure, or regression: only what held in the baseline fails the run',
  },
  reportDir: {
    variable: 'CONFORMANCE_REPORT_DIR',
    flag: 'report-dir',
    kind: folder,
    default: 'reports',
    meaning: 'directory for reports',
  },
  only: {
    variable: 'CONFORMANCE_ONLY',
    flag: 'only',
    kind: slugs,
    default: '',
    meaning: 'check only these requirements; * matches any characters',
  },
  skip: {
    variable: 'CONFORMANCE_SKIP',
    flag: 'skip',
    kind: slugs,
    default: '',
    meaning: 'skip these requirements',
  },
  thorough: {
    variable: 'CONFORMANCE_THOROUGH',
    flag: 'thorough',
    kind: onOff,
    default: '0',
    meaning: 'explore further with hundreds of users and thousands of seeded random requests',
  },
  seed: {
    variable: 'CONFORMANCE_SEED',
    flag: 'seed',
    goesWith: 'thorough',
    kind: optional(wholeNumber(0)),
    default: '',
    meaning: 'seed of the random choices (default: a new one)',
  },
  budgetMs: {
    variable: 'CONFORMANCE_BUDGET_S',
    flag: 'budget',
    goesWith: 'thorough',
    kind: seconds,
    default: '60',
    meaning: 'time to explore (s), on top of the deadline',
  },
  maxRequests: {
    variable: 'CONFORMANCE_MAX_REQUESTS',
    flag: 'max-requests',
    goesWith: 'thorough',
    kind: wholeNumber(1),
    default: '25000',
    meaning: 'approximate request limit of a thorough run',
  },
  maxUsers: {
    variable: 'CONFORMANCE_MAX_USERS',
    flag: 'max-users',
    goesWith: 'thorough',
    kind: wholeNumber(1),
    default: '1500',
    meaning: 'approximate limit of users that a thorough run creates',
  },
  bail: {
    variable: 'CONFORMANCE_BAIL',
    flag: 'bail',
    kind: onOff,
    default: '0',
    meaning: 'stop at the first failed MUST; the rest is not run',
  },
  rate: {
    variable: 'CONFORMANCE_RATE',
    flag: 'rate',
    kind: optional(wholeNumber(1)),
    default: '',
    meaning: 'most requests per second',
  },
  concurrency: {
    variable: 'CONFORMANCE_CONCURRENCY',
    flag: 'concurrency',
    kind: optional(wholeNumber(1)),
    default: '',
    meaning: 'most requests at the same time',
  },
  requestIds: {
    variable: 'CONFORMANCE_REQUEST_IDS',
    flag: 'request-ids',
    kind: onOff,
    default: '0',
    meaning: "send X-Request-Id: the run's tag and the request's number in the reports",
  },
  timeoutMs: {
    variable: 'CONFORMANCE_TIMEOUT_MS',
    flag: 'timeout',
    kind: milliseconds(1),
    default: '10000',
    meaning: 'timeout per request (ms)',
  },
  settleMs: {
    variable: 'CONFORMANCE_SETTLE_MS',
    flag: 'settle',
    kind: milliseconds(0),
    default: '2000',
    meaning: 'how long a read may lag behind a write (ms)',
  },
  deadlineMs: {
    variable: 'CONFORMANCE_DEADLINE_MS',
    flag: 'deadline',
    kind: milliseconds(1),
    default: '120000',
    meaning: 'timeout for the whole run (ms)',
  },
  bodyLimit: {
    variable: 'CONFORMANCE_BODY_LIMIT_MIB',
    flag: 'body-limit',
    kind: mebibytes,
    default: '64',
    meaning: 'largest response body to read, decoded (MiB)',
  },
  emailDomain: {
    variable: 'CONFORMANCE_EMAIL_DOMAIN',
    flag: 'email-domain',
    kind: domain,
    default: 'example.com',
    meaning: "domain of the created users' email addresses",
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
