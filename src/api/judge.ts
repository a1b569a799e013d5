import { writeReports } from '../reports/publish.ts';
import type { Report } from '../reports/report.ts';
import { claimReportDir, makeReportDir, removeReports } from '../reports/report-dir.ts';
import type { Outcome } from '../requirement/outcome.ts';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { settingsOf } from '../settings/settings.ts';
import {
  type Kind,
  type SettingRow,
  type SettingValues,
  settingsTable,
} from '../settings/table.ts';
import { listedFailures } from '../verdict/verdict.ts';
import { makeRun, type RunInput } from './run.ts';

/** A program starts its service itself, and compares what it gets. */
const OF_THE_COMMAND = ['start', 'startTimeoutMs', 'reuse', 'baseline', 'failOn'] as const;
type Name = Exclude<keyof SettingValues, (typeof OF_THE_COMMAND)[number]>;

/** What a program calls what has another unit for it than for a run. */
const RENAMED = { budgetMs: 'budgetSeconds', bodyLimit: 'bodyLimitMib' } as const;
type PropertyOf<Of extends Name> = Of extends keyof typeof RENAMED ? (typeof RENAMED)[Of] : Of;

/** How a program writes the value of a setting. */
type Given<Value> = [Value] extends [boolean | undefined]
  ? boolean
  : [Value] extends [number | undefined]
    ? number
    : [Value] extends [readonly unknown[]]
      ? string[]
      : string;

type AnySettings = { [Of in Name as PropertyOf<Of>]?: Given<SettingValues[Of]> | undefined };

/**
 * What a program says of the service to judge, and how: docs/from-typescript.md has what each means; defaults are
 * those of the command, but that without `reportDir` there are no reports.
 */
export interface JudgeSettings extends Omit<AnySettings, 'baseUrl' | 'apiKey'> {
  /** The service's base address, ends in /v1. */
  baseUrl: string;
  /** A key that is good for all three operations. It is a secret: no outcome, report or error shows it. */
  apiKey: string;
}

/** By which property a program gives each setting of the table. */
const renamed: Record<string, string> = RENAMED;
const rows = Object.entries<SettingRow>(settingsTable)
  .filter(([name]) => !OF_THE_COMMAND.some((one) => one === name))
  .map(([name, { variable, kind }]) => ({ property: renamed[name] ?? name, variable, kind }));

/**
 * Reads what a program has given as the command reads its variables, and the files that it names; makes the report
 * directory, which is absent where no reports are written.
 * Rejects with a SettingsError, in the words of the program.
 */
export async function prepare(given: JudgeSettings): Promise<RunInput & { reportDir?: string }> {
  const own = ownProperties<JudgeSettings>(given, 'The settings');
  const unknown = Object.keys(own).find((name) => !rows.some(({ property }) => property === name));
  const names = rows.map(({ property }) => property).join(', ');
  if (unknown !== undefined)
    throw new SettingsError(`${unknown} is no setting here; the settings are ${names}.`);
  const missing = (['baseUrl', 'apiKey'] as const).find((name) => !own[name]);
  if (missing)
    throw new SettingsError(
      `${missing} is missing: the service's base address and a key are needed.`,
    );
  const values = rows.flatMap(({ property, variable, kind }) => {
    const value = own[property as keyof JudgeSettings];
    return value === undefined ? [] : [[variable, asText(property, value, kind)] as const];
  });
  try {
    const settings = settingsOf(Object.fromEntries(values), process.cwd());
    const { target } = settings;
    if (target === undefined)
      throw new SettingsError('baseUrl must be the address of a service that runs.');
    const reportDir = own.reportDir ? settings.reportDir : undefined;
    if (reportDir !== undefined) makeReportDir(reportDir);
    return {
      target,
      settings,
      knownFailures: await listedFailures(settings),
      ...(reportDir && { reportDir }),
    };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const inWordsOfProgram = rows.reduce((text, { property, variable }) => {
      return text.replace(new RegExp(`(?<![A-Z_])${variable}(?![A-Z_])`, 'g'), property);
    }, error.message);
    throw new SettingsError(inWordsOfProgram);
  }
}

/** The properties that an object has itself, read once: what it inherits is no setting. Throws a SettingsError. */
function ownProperties<T extends object>(given: T, what: string): T {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const own: T | undefined = unlessThrown(() => Object.assign(Object.create(null), given));
  if (isObject && own) return own;
  throw new SettingsError(`${what} must be an object, with what they set as its own properties.`);
}

/** A value as the command would get it. Throws a SettingsError, which does not tell the value. */
function asText(property: string, value: unknown, { isSwitch, between }: Kind<unknown>): string {
  if (typeof value === 'string') return value;
  if (between) {
    const isList =
      Array.isArray(value) && Array.from(value).every((one) => typeof one === 'string');
    if (isList) return value.join(between);
    throw new SettingsError(`${property} must be an array of strings.`);
  }
  if (typeof value === (isSwitch ? 'boolean' : 'number')) return `${value}`;
  throw new SettingsError(`${property} must be a ${isSwitch ? 'boolean' : 'string or a number'}.`);
}

export interface JudgeOptions {
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Ends the run before its time: what was not judged by then is not verified. */
  signal?: AbortSignal;
}

/**
 * Judges a service in this process, and resolves to the report, as `conformance.json` has it: its `verdict` says
 * whether the service conforms. Prints nothing but a warning of Node's for each report that can't be written, reads of
 * the environment what names proxies and of `.env` nothing, and writes only what `reportDir` asks for. Rejects with a
 * SettingsError where a setting is unusable, and with another error where the suite itself fails; never for what the
 * service does.
 */
export async function judge(given: JudgeSettings, options: JudgeOptions = {}): Promise<Report> {
  const { onOutcome = () => {}, signal } = readOptions(options);
  const prepared = await prepare(given);
  const { reportDir } = prepared;
  const release = reportDir === undefined ? () => {} : claimReportDir(reportDir);
  try {
    const result = await makeRun(prepared, { onOutcome, signal });
    const [fault] = result.faults;
    if (fault !== undefined) throw new Error(`The suite itself failed: ${fault}`);
    if (reportDir !== undefined) {
      removeReports(reportDir, false);
      for (const sentence of writeReports(result, reportDir)) process.emitWarning(sentence);
    }
    return result.report;
  } finally {
    release();
  }
}

/** What of the options is the program's own. Throws a SettingsError. */
function readOptions(options: JudgeOptions): JudgeOptions {
  const own = ownProperties(options, 'The options');
  const { onOutcome, signal } = own;
  if (!['undefined', 'function'].includes(typeof onOutcome))
    throw new SettingsError('onOutcome must be a function.');
  // Not by its class: other realms, such as that of jsdom, have one of their own.
  if (
    signal !== undefined &&
    (typeof signal?.aborted !== 'boolean' || typeof signal.addEventListener !== 'function')
  )
    throw new SettingsError('signal must be an AbortSignal.');
  return own;
}
