import { headerLines } from './headers.ts';
import {
  count,
  directory,
  domain,
  inputFile,
  type Kind,
  mebibytes,
  milliseconds,
  oneOf,
  onOff,
  optional,
  seconds,
  shownName,
  slugs,
  text,
} from './kinds.ts';

/** A setting: its names, what its values are, and what it means. */
export interface SettingRow<Value = unknown> {
  variable: string;
  /** The command's flag without the dashes; the key has none, because a process list shows flags. */
  flag?: string;
  /** The setting without which this one has no effect. */
  goesWith?: 'baseUrl' | 'start' | 'thorough' | 'baseline';
  kind: Kind<Value>;
  /** The value where nothing is set. */
  default: string;
  /** For the help. */
  meaning: string;
}

/** A setting with a flag. Its variable is CONFORMANCE_, the flag's name and the unit, such as CONFORMANCE_TIMEOUT_MS. */
function setting<Value>(
  flag: string,
  kind: Kind<Value>,
  meaning: string,
  others: Partial<Pick<SettingRow, 'variable' | 'goesWith' | 'default'>> = {},
): SettingRow<Value> {
  const words = ['CONFORMANCE', ...flag.split('-'), ...(kind.unit ? [kind.unit] : [])];
  const variable = words.join('_').toUpperCase();
  return { variable, flag, kind, meaning, default: kind.value ? '' : '0', ...others };
}

/** A file for TLS. */
const pem = (variable: string, meaning: string) => ({ variable, kind: optional(inputFile), default: '', meaning });

/**
 * Every setting, by its name in the code. Reading the settings, their type, the flags and the help follow from this
 * table. A new setting is a row here, and a line in docs/settings.md, .env.example and action.yml.
 */
export const settingsTable = {
  baseUrl: setting(
    'base-url',
    text('URL'),
    "the service's base address, ends in /v1; embedded-reference is the suite's own service",
    { variable: 'BASE_URL' },
  ),
  apiKey: {
    variable: 'API_KEY',
    kind: text('KEY'),
    default: '',
    meaning: 'the key; needed when BASE_URL is set; environment or .env only',
  },
  name: setting('name', shownName, 'name of the implementation in reports (default: host and port)'),
  start: setting('start', optional(text('COMMAND')), 'command that starts the service; it is stopped after the run'),
  startTimeoutMs: setting('start-timeout', milliseconds(1), 'how long the started service may take to respond (ms)', {
    goesWith: 'start',
    default: '60000',
  }),
  reuse: setting('reuse', onOff, 'with --start: use a service that is already running', { goesWith: 'start' }),
  headers: setting('header', headerLines, 'extra header for every request, e.g. for a gateway (repeatable)', {
    variable: 'CONFORMANCE_HEADERS',
    goesWith: 'baseUrl',
  }),
  clientCert: pem('CONFORMANCE_CLIENT_CERT', 'file of a client certificate (PEM)'),
  clientKey: pem('CONFORMANCE_CLIENT_KEY', 'file of its private key (PEM)'),
  ca: pem('CONFORMANCE_CA', 'file of a certificate authority to trust as well (PEM)'),
  strict: setting('strict', onOff, 'a failed SHOULD fails the run'),
  readOnly: setting('read-only', onOff, 'create nothing; skip checks that need to (noted in the report)'),
  knownFailures: setting('known-failures', optional(inputFile), 'file of accepted failures (YAML or JSON)'),
  baseline: setting(
    'baseline',
    optional(inputFile),
    'conformance.json of an earlier run: show first what has changed since',
  ),
  failOn: setting(
    'fail-on',
    oneOf(['failure', 'regression']),
    'failure, or regression: only what held in the baseline fails the run',
    { goesWith: 'baseline', default: 'failure' },
  ),
  reportDir: setting('report-dir', directory, 'directory for reports', { default: 'reports' }),
  only: setting('only', slugs, 'check only these requirements; * matches any characters'),
  skip: setting('skip', slugs, 'skip these requirements'),
  thorough: setting(
    'thorough',
    onOff,
    'explore further. Sends thousands of random requests. Creates hundreds of users.',
  ),
  seed: setting('seed', optional(count(0)), 'seed of the random choices (default: a new one)', {
    goesWith: 'thorough',
  }),
  budgetMs: setting('budget', seconds, 'time to explore (s), on top of the deadline', {
    goesWith: 'thorough',
    default: '60',
  }),
  maxRequests: setting('max-requests', count(1), 'approximate request limit of a thorough run', {
    goesWith: 'thorough',
    default: '25000',
  }),
  maxUsers: setting('max-users', count(1), 'approximate limit of users that a thorough run creates', {
    goesWith: 'thorough',
    default: '1500',
  }),
  bail: setting('bail', onOff, 'stop at the first failed MUST; the rest is not run'),
  rate: setting('rate', optional(count(1)), 'most requests per second'),
  concurrency: setting('concurrency', optional(count(1)), 'most concurrent requests'),
  requestIds: setting('request-ids', onOff, "send X-Request-Id: the run's tag and the request's number in the reports"),
  timeoutMs: setting('timeout', milliseconds(1), 'timeout per request (ms)', { default: '10000' }),
  settleMs: setting('settle', milliseconds(0), 'how long a read may lag behind a write (ms)', { default: '2000' }),
  deadlineMs: setting('deadline', milliseconds(1), 'timeout for the whole run (ms)', { default: '120000' }),
  bodyLimit: setting('body-limit', mebibytes, 'largest response body to read, decoded (MiB)', { default: '32' }),
  emailDomain: setting('email-domain', domain, "domain of the created users' email addresses", {
    default: 'example.com',
  }),
} as const satisfies Record<string, SettingRow>;

export const settingRows: readonly SettingRow[] = Object.values(settingsTable);

type Table = typeof settingsTable;

/** The values of all settings, read; bytes and milliseconds are numbers, paths are absolute. */
export type SettingValues = { [Name in keyof Table]: ReturnType<Table[Name]['kind']['read']> };
