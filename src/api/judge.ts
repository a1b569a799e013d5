import { requirements } from '../../specs/index.ts';
import { writeReports } from '../reports/publish.ts';
import type { Report } from '../reports/report.ts';
import { claimReportDir, makeReportDir, removeReports } from '../reports/report-dir.ts';
import type { Outcome } from '../requirement/outcome.ts';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { type NameSetting, withNames } from '../settings/names.ts';
import { nearest } from '../settings/nearest.ts';
import { ownOnly } from '../settings/own.ts';
import { select } from '../settings/selection.ts';
import { parseSettings } from '../settings/settings.ts';
import { type Kind, type SettingRow, settingsTable } from '../settings/table.ts';
import { hideKey } from '../settings/target.ts';
import { listedFailures } from '../verdict/verdict.ts';
import type { JudgeSettings } from './judge-settings.ts';
import { makeRun, type RunInput } from './run.ts';

export type { JudgeSettings };

/** A program starts its service itself, and compares what it gets. */
const OF_THE_COMMAND = ['start', 'startTimeoutMs', 'reuse', 'baseline', 'failOn'];

/** Properties with another name than the setting, because they have another unit. */
const RENAMED: Record<string, string> = { budgetMs: 'budgetSeconds', bodyLimit: 'bodyLimitMib' };

/** The property by which a program gives each setting of the table. */
export const propertyRows = Object.entries<SettingRow>(settingsTable)
  .filter(([name]) => !OF_THE_COMMAND.includes(name))
  .map(([name, row]) => ({ property: RENAMED[name] ?? name, ...row }));

/**
 * Reads what a program has given as the command reads its variables, and the files that it names; makes the report
 * directory, which is absent where no reports are written.
 * Rejects with a SettingsError, in the words of the program.
 */
export async function prepare(given: JudgeSettings): Promise<RunInput & { reportDir?: string }> {
  const own = ownProperties<JudgeSettings>(given, 'The settings');
  try {
    return await withNames(propertyOf, () => readProperties(own));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const key = typeof own.apiKey === 'string' ? own.apiKey : undefined;
    throw new SettingsError(hideKey(error.message, key));
  }
}

/** Returns the property by which a program gives the setting of a variable. */
export const propertyOf: NameSetting = (variable) =>
  propertyRows.find((row) => row.variable === variable)?.property ?? variable;

async function readProperties(own: JudgeSettings): Promise<RunInput & { reportDir?: string }> {
  const properties = propertyRows.map(({ property }) => property);
  const unknown = Object.keys(own).find((name) => !properties.includes(name));
  if (unknown !== undefined)
    throw new SettingsError(unknownProperty(unknown === own.apiKey ? '' : unknown, properties));
  const missing = (['baseUrl', 'apiKey'] as const).find((name) => !own[name]);
  if (missing)
    throw new SettingsError(
      `${missing} is missing: the service's base address and a key are needed.`,
    );
  const values = propertyRows.flatMap(({ property, variable, kind }) => {
    const value = own[property as keyof JudgeSettings];
    return value === undefined ? [] : [[variable, asText(property, value, kind)] as const];
  });
  const settings = parseSettings(Object.fromEntries(values), process.cwd());
  const { target } = settings;
  if (target === undefined)
    throw new SettingsError('baseUrl must be the address of a service that runs.');
  select(requirements, settings.selection);
  const reportDir = own.reportDir ? settings.reportDir : undefined;
  if (reportDir !== undefined) makeReportDir(reportDir);
  return ownOnly({
    target,
    settings,
    knownFailures: await listedFailures(settings),
    ...(reportDir && { reportDir }),
  });
}

/** Repeats a name only if it resembles that of a setting: any other may be the key. */
function unknownProperty(name: string, properties: string[]): string {
  const meant = nearest(name, properties);
  if (name && meant) return `${name} is no setting here: did you mean ${meant}?`;
  return `A property is no setting here; the settings are ${properties.join(', ')}.`;
}

/** The properties that an object has itself, read once: what it inherits is no setting. Throws a SettingsError. */
function ownProperties<T extends object>(given: T, what: string): T {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const own: T | undefined = unlessThrown(() => ownOnly(given));
  if (isObject && own) return own;
  throw new SettingsError(`${what} must be an object, with what they set as its own properties.`);
}

/** A value as the command would get it. Throws a SettingsError, which does not tell the value. */
function asText(property: string, value: unknown, { isSwitch, separator }: Kind<unknown>): string {
  if (typeof value === 'string') return value;
  if (separator) {
    const isList =
      Array.isArray(value) && Array.from(value).every((one) => typeof one === 'string');
    if (isList) return value.join(separator);
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
export function judge(given: JudgeSettings, options: JudgeOptions = {}): Promise<Report> {
  return withNames(propertyOf, () => judgeByProperties(given, options));
}

async function judgeByProperties(given: JudgeSettings, options: JudgeOptions): Promise<Report> {
  const { onOutcome = () => {}, signal } = readOptions(options);
  const prepared = await prepare(given);
  const { reportDir } = prepared;
  const release = reportDir === undefined ? () => {} : claimReportDir(reportDir);
  try {
    const result = await makeRun(prepared, ownOnly({ onOutcome, signal }));
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
