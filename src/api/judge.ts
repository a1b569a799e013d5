import { writeReports } from '../reports/publish.ts';
import type { Report } from '../reports/report.ts';
import { claimReportDir, removeReports } from '../reports/report-dir.ts';
import type { Outcome } from '../requirement/outcome.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { type JudgeSettings, ownProperties, prepare } from './given.ts';
import { makeRun } from './run.ts';

export interface JudgeOptions {
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Ends the run before its time: what was not judged by then is not verified. */
  signal?: AbortSignal;
}

/**
 * Judges a service in this process, and resolves to the report, as `conformance.json` has it: its `verdict` says whether the
 * service conforms. Prints nothing but a warning of Node's for each report that can't be written, reads of the environment what
 * names proxies and of `.env` nothing, and writes only what `reportDir` asks for. Rejects with a
 * SettingsError where a setting is unusable, and with another error where the suite itself fails; never for what the service
 * does.
 */
export async function judge(given: JudgeSettings, options: JudgeOptions = {}): Promise<Report> {
  const { onOutcome, signal } = readOptions(options);
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
  if (onOutcome !== undefined && typeof onOutcome !== 'function')
    throw new SettingsError('onOutcome must be a function.');
  // Not by its class: other realms, such as that of jsdom, have one of their own.
  if (signal !== undefined && (typeof signal?.aborted !== 'boolean' || typeof signal.addEventListener !== 'function'))
    throw new SettingsError('signal must be an AbortSignal.');
  return own;
}
