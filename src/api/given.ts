import { makeReportDir } from '../reports/report-dir.ts';
import { type Settings, settingsOf, type Target } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { settingsTable } from '../settings/table.ts';
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

/** A program starts its service itself. */
type OfTheCommand = 'start' | 'startTimeoutMs' | 'reuse';

/** By which property a program gives each setting. */
const properties: Record<Exclude<keyof typeof settingsTable, OfTheCommand>, keyof JudgeSettings> = {
  baseUrl: 'baseUrl',
  apiKey: 'apiKey',
  name: 'name',
  headers: 'headers',
  clientCert: 'clientCert',
  clientKey: 'clientKey',
  ca: 'ca',
  strict: 'strict',
  readOnly: 'readOnly',
  knownFailures: 'knownFailures',
  writeKnownFailures: 'writeKnownFailures',
  reportDir: 'reportDir',
  only: 'only',
  skip: 'skip',
  thorough: 'thorough',
  seed: 'seed',
  budgetMs: 'budgetSeconds',
  maxRequests: 'maxRequests',
  maxUsers: 'maxUsers',
  timeoutMs: 'timeoutMs',
  settleMs: 'settleMs',
  deadlineMs: 'deadlineMs',
  bodyLimit: 'bodyLimitMib',
  emailDomain: 'emailDomain',
};

const rows = Object.entries(properties).map(([name, property]) => {
  return { property, variable: settingsTable[name as keyof typeof settingsTable].variable };
});

/** What a run needs of it. */
export interface Prepared {
  target: Target;
  settings: Settings;
  knownFailures: ListedFailure[];
}

/**
 * Reads what a program has given as the command reads its variables, and the files that it names; makes the report directory.
 * Rejects with a SettingsError, in the words of the program.
 */
export async function prepare(given: JudgeSettings): Promise<Prepared> {
  const unknown = Object.keys(given).find((name) => !rows.some(({ property }) => property === name));
  const names = rows.map(({ property }) => property).join(', ');
  if (unknown !== undefined) throw new SettingsError(`${unknown} is no setting here; the settings are ${names}.`);
  for (const name of ['baseUrl', 'apiKey'] as const) {
    if (!given[name]) throw new SettingsError(`${name} is missing: the service's base address and a key are needed.`);
  }
  const values = rows.flatMap(({ property, variable }) => {
    const value: unknown = given[property];
    return value === undefined ? [] : [[variable, Array.isArray(value) ? value.join('\n') : `${value}`]];
  });
  try {
    const settings = settingsOf(Object.fromEntries(values), process.cwd());
    const { target } = settings;
    if (target === undefined) throw new SettingsError('baseUrl must be the address of a service that runs.');
    if (given.reportDir) makeReportDir(settings.reportDir);
    return { target, settings, knownFailures: await listedFailures(settings) };
  } catch (error) {
    throw error instanceof SettingsError ? new SettingsError(inWordsOfProgram(error.message)) : error;
  }
}

function inWordsOfProgram(message: string): string {
  return rows.reduce((text, { property, variable }) => {
    return text.replace(new RegExp(`(?<![A-Z_])${variable}(?![A-Z_])`, 'g'), property);
  }, message);
}
