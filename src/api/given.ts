import { makeReportDir } from '../reports/report-dir.ts';
import type { Kind } from '../settings/kinds.ts';
import { type Settings, settingsOf, type Target } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { type SettingRow, settingsTable } from '../settings/table.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { listedFailures } from '../verdict/listed-failures.ts';

/** What a program says of the service to judge, and how; defaults are those of the command. */
export interface JudgeSettings {
  /** The service's base address, ends in /v1. */
  baseUrl: string;
  /** A key that is good for all three operations. It is a secret: no outcome, report or error shows it. */
  apiKey: string;
  /** Headers that go with every request, each as `Name: value`; the values are secrets. Never Authorization. */
  headers?: string[] | undefined;
  /** The paths of a client certificate and of its private key (PEM). */
  clientCert?: string | undefined;
  clientKey?: string | undefined;
  /** The path of a certificate authority that is trusted besides the usual ones (PEM). */
  ca?: string | undefined;
  /** What reports call the implementation; without it the host and port of its address. */
  name?: string | undefined;
  /** Whether a failed SHOULD fails the run, too. */
  strict?: boolean | undefined;
  /** Whether nothing is created. */
  readOnly?: boolean | undefined;
  /** The path of a file of accepted failures (YAML or JSON). */
  knownFailures?: string | undefined;
  /** The path of a file into which the failures of this run are written as such a file. */
  writeKnownFailures?: string | undefined;
  /** The folder into which reports are written; without it there are none. */
  reportDir?: string | undefined;
  /** Judge these requirements alone: slugs, `*` stands for any characters. */
  only?: string[] | undefined;
  /** Leave these requirements out. */
  skip?: string[] | undefined;
  /** Whether the run explores beyond the plan. */
  thorough?: boolean | undefined;
  /** Where its draws start; without it a new seed. */
  seed?: number | undefined;
  /** Seconds for the exploration. */
  budgetSeconds?: number | undefined;
  /** Requests of a thorough run, about. */
  maxRequests?: number | undefined;
  /** Users that a thorough run creates, about. */
  maxUsers?: number | undefined;
  /** Whether the run ends at the first failed MUST. */
  bail?: boolean | undefined;
  /** Requests a second, at most. */
  rate?: number | undefined;
  /** Requests at the same time, at most. */
  concurrency?: number | undefined;
  /** Whether each request has an X-Request-Id: the tag of the run, and the number of the exchange in reports. */
  requestIds?: boolean | undefined;
  /** Milliseconds for one answer. */
  timeoutMs?: number | undefined;
  /** Milliseconds that a read may lag behind a write. */
  settleMs?: number | undefined;
  /** Milliseconds for the whole run. */
  deadlineMs?: number | undefined;
  /** Mebibytes of one decoded body that are read at most. */
  bodyLimitMib?: number | undefined;
  /** The domain of the created users' addresses. */
  emailDomain?: string | undefined;
}

type Table = typeof settingsTable;

/** A program starts its service itself, and compares what it gets. */
const OF_THE_COMMAND = ['start', 'startTimeoutMs', 'reuse', 'baseline', 'failOn'] as const;
type OfTheCommand = (typeof OF_THE_COMMAND)[number];

/** What a program calls what has another unit for it than for a run. */
const RENAMED = { budgetMs: 'budgetSeconds', bodyLimit: 'bodyLimitMib' } as const;

/** By which property a program gives each setting of the table. */
function propertyOf(name: Exclude<keyof Table, OfTheCommand>): keyof JudgeSettings {
  return name === 'budgetMs' || name === 'bodyLimit' ? RENAMED[name] : name;
}

const rows = (Object.keys(settingsTable) as (keyof Table)[]).flatMap((name) => {
  if (OF_THE_COMMAND.some((one) => one === name)) return [];
  const { variable, kind }: SettingRow = settingsTable[name];
  return [{ property: propertyOf(name as Exclude<keyof Table, OfTheCommand>), variable, kind }];
});

/** What a run needs of it. */
export interface Prepared {
  target: Target;
  settings: Settings;
  knownFailures: ListedFailure[];
  /** Where reports go; absent where none are written. */
  reportDir?: string;
}

/**
 * Reads what a program has given as the command reads its variables, and the files that it names; makes the report directory.
 * Rejects with a SettingsError, in the words of the program.
 */
export async function prepare(given: JudgeSettings): Promise<Prepared> {
  const own = ownProperties<JudgeSettings>(given, 'The settings');
  const unknown = Object.keys(own).find((name) => !rows.some(({ property }) => property === name));
  const names = rows.map(({ property }) => property).join(', ');
  if (unknown !== undefined) throw new SettingsError(`${unknown} is no setting here; the settings are ${names}.`);
  for (const name of ['baseUrl', 'apiKey'] as const) {
    if (!own[name]) throw new SettingsError(`${name} is missing: the service's base address and a key are needed.`);
  }
  const values = rows.flatMap(({ property, variable, kind }) => {
    const value = own[property];
    return value === undefined ? [] : [[variable, asText(property, value, kind)] as const];
  });
  try {
    const settings = settingsOf(Object.fromEntries(values), process.cwd());
    const { target } = settings;
    if (target === undefined) throw new SettingsError('baseUrl must be the address of a service that runs.');
    const reportDir = own.reportDir ? settings.reportDir : undefined;
    if (reportDir !== undefined) makeReportDir(reportDir);
    return { target, settings, knownFailures: await listedFailures(settings), ...(reportDir && { reportDir }) };
  } catch (error) {
    throw error instanceof SettingsError ? new SettingsError(inWordsOfProgram(error.message)) : error;
  }
}

/** The properties that an object has itself, read once: what it inherits is no setting. Throws a SettingsError. */
export function ownProperties<T extends object>(given: T, what: string): T {
  const refused = new SettingsError(`${what} must be an object, with what they set as its own properties.`);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refused;
  try {
    return Object.assign(Object.create(null), given);
  } catch {
    throw refused;
  }
}

/** A value as the command would get it. Throws a SettingsError, which does not tell the value. */
function asText(property: string, value: unknown, { value: shown, list, repeated }: Kind<unknown>): string {
  const isText = (one: unknown) => typeof one === 'string';
  if (list || repeated) {
    if (isText(value)) return value as string;
    if (Array.isArray(value) && Array.from(value).every(isText)) return value.join('\n');
    throw new SettingsError(`${property} must be an array of strings.`);
  }
  const type = shown === undefined ? 'boolean' : 'number';
  if (isText(value) || typeof value === type) return `${value}`;
  throw new SettingsError(`${property} must be a ${type === 'number' ? 'string or a number' : 'boolean'}.`);
}

function inWordsOfProgram(message: string): string {
  return rows.reduce((text, { property, variable }) => {
    return text.replace(new RegExp(`(?<![A-Z_])${variable}(?![A-Z_])`, 'g'), property);
  }, message);
}
