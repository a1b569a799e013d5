import { requirements } from '../../specs/index.ts';
import { writeReports } from '../reports/publish.ts';
import type { Report } from '../reports/report.ts';
import { claimReportDir, makeReportDir } from '../reports/report-dir.ts';
import { removeReports } from '../reports/written-files.ts';
import type { Outcome } from '../requirement/outcome.ts';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { type NameSetting, withNames } from '../settings/names.ts';
import { nearest } from '../settings/nearest.ts';
import { ownOnly } from '../settings/own.ts';
import { select } from '../settings/selection.ts';
import { parseSettings } from '../settings/settings.ts';
import { type Kind, type SettingRow, settingsTable } from '../settings/table.ts';
import { hideKey } from '../settings/target.ts';
import { listedFailures } from '../verdict/listed-failures.ts';
import type { JudgeSettings } from './judge-settings.ts';
import { makeRun, type RunInput } from './run.ts';

export type { JudgeSettings };

export interface JudgeOptions {
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Ends the run early. Requirements that were not judged by then are not verified. */
  signal?: AbortSignal;
}

/**
 * Judges a service in this process. Resolves to the report, as in `conformance.json`. Its `verdict`
 * says whether the service conforms.
 *
 * Prints nothing, except a Node warning for each report that it can't write. Reads only the proxy
 * variables from the environment, and never `.env`. Writes only to `reportDir`.
 *
 * Rejects with a SettingsError if a setting is unusable, and with another error if the suite itself
 * fails. Never rejects because of the service.
 */
export function judge(settings: JudgeSettings, options: JudgeOptions = {}): Promise<Report> {
  return withNames(propertyOf, () => judgeByProperties(settings, options));
}

async function judgeByProperties(settings: JudgeSettings, options: JudgeOptions): Promise<Report> {
  const { onOutcome = () => {}, signal } = readOptions(options);
  const input = await prepare(settings);
  const { reportDir } = input;
  const release = reportDir === undefined ? () => {} : claimReportDir(reportDir);
  try {
    const result = await makeRun(input, ownOnly({ onOutcome, signal }));
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

/** Checks the options. Throws a SettingsError. */
function readOptions(options: JudgeOptions): JudgeOptions {
  const own = ownProperties(options, 'The options');
  const { onOutcome, signal } = own;
  if (onOutcome !== undefined && typeof onOutcome !== 'function')
    throw new SettingsError('onOutcome must be a function.');
  // Other realms, such as jsdom, have an AbortSignal class of their own.
  const isSignal =
    typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
  if (signal !== undefined && !isSignal) throw new SettingsError('signal must be an AbortSignal.');
  return own;
}

/** The input of a run, and the report directory if reports are written. */
export interface PreparedRun extends RunInput {
  reportDir?: string;
}

/**
 * Reads the settings of a program and their files, and makes the report directory. Rejects with a
 * SettingsError that names properties.
 */
export async function prepare(settings: JudgeSettings): Promise<PreparedRun> {
  const own = ownProperties<JudgeSettings>(settings, 'The settings');
  try {
    return await withNames(propertyOf, () => readProperties(own));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const key = typeof own.apiKey === 'string' ? own.apiKey : undefined;
    throw new SettingsError(hideKey(error.message, key));
  }
}

/** Settings of the command alone: a program starts its service and compares reports itself. */
const COMMAND_SETTINGS = ['start', 'startTimeoutMs', 'reuse', 'baseline', 'failOn'];

/** Properties that differ from the name of the setting, because they have another unit. */
const RENAMED: Record<string, string> = { budgetMs: 'budgetSeconds', bodyLimit: 'bodyLimitMib' };

/** A setting and the property of JudgeSettings that sets it. */
interface PropertyRow extends SettingRow {
  property: string;
}

export const propertyRows: readonly PropertyRow[] = Object.entries<SettingRow>(settingsTable)
  .filter(([name]) => !COMMAND_SETTINGS.includes(name))
  .map(([name, row]) => ({ property: RENAMED[name] ?? name, ...row }));

/** Returns the property that sets a variable. */
export const propertyOf: NameSetting = (variable) =>
  propertyRows.find((row) => row.variable === variable)?.property ?? variable;

async function readProperties(own: JudgeSettings): Promise<PreparedRun> {
  const properties = propertyRows.map(({ property }) => property);
  const unknown = Object.keys(own).find((name) => !properties.includes(name));
  if (unknown !== undefined)
    throw new SettingsError(unknownPropertyText(unknown, properties, own.apiKey));
  const missing = (['baseUrl', 'apiKey'] as const).find((name) => !own[name]);
  if (missing)
    throw new SettingsError(
      `${missing} is missing: the service's base address and a key are needed.`,
    );
  const texts = propertyRows.flatMap(({ property, variable, kind }) => {
    const value = own[property as keyof JudgeSettings];
    return value === undefined ? [] : [[variable, toText(property, value, kind)] as const];
  });
  const settings = parseSettings(Object.fromEntries(texts), process.cwd());
  const { target } = settings;
  if (target === undefined)
    throw new SettingsError('baseUrl must be the address of a running service.');
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

/** Repeats a name only if it is similar to that of a setting: otherwise it may be the key. */
function unknownPropertyText(
  name: string,
  properties: readonly string[],
  apiKey: string | undefined,
): string {
  const suggestion = name === '' || name === apiKey ? undefined : nearest(name, properties);
  if (suggestion) return `${name} is no setting here: did you mean ${suggestion}?`;
  return `A property is no setting here; the settings are ${properties.join(', ')}.`;
}

/**
 * Returns the own properties of an object, read once. Inherited ones are no settings. Throws a
 * SettingsError.
 */
function ownProperties<T extends object>(object: T, name: string): T {
  const isObject = typeof object === 'object' && object !== null && !Array.isArray(object);
  const own: T | undefined = unlessThrown(() => ownOnly(object));
  if (isObject && own) return own;
  throw new SettingsError(`${name} must be an object with own properties.`);
}

/** Returns a value as a variable would have it. Throws a SettingsError without the value. */
function toText(property: string, value: unknown, { isSwitch, separator }: Kind<unknown>): string {
  if (typeof value === 'string') return value;
  if (separator) {
    // Array.from visits the holes of an array, too.
    const isList =
      Array.isArray(value) && Array.from(value).every((item) => typeof item === 'string');
    if (isList) return value.join(separator);
    throw new SettingsError(`${property} must be an array of strings.`);
  }
  if (typeof value === (isSwitch ? 'boolean' : 'number')) return `${value}`;
  throw new SettingsError(`${property} must be a ${isSwitch ? 'boolean' : 'string or a number'}.`);
}
