import { requirements, topics } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { conduct } from '../conduct/conduct.ts';
import { explorationOf } from '../conduct/thorough.ts';
import { answerTimes } from '../reports/answer-times.ts';
import { removeReports, writeReports } from '../reports/files.ts';
import { makeReport, type Report } from '../reports/report.ts';
import { trace } from '../reports/traced.ts';
import type { Outcome } from '../requirement/outcome.ts';
import { select } from '../settings/selection.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { accept } from '../verdict/accept.ts';
import { type JudgeSettings, ownProperties, prepare } from './given.ts';

export interface JudgeOptions {
  /** Called for each outcome as soon as it is final. */
  onOutcome?: (outcome: Outcome) => void;
  /** Ends the run before its time: what was not judged by then is not verified. */
  signal?: AbortSignal;
}

/**
 * Judges a service in this process, and resolves to the report, as `conformance.json` has it: its `verdict` says whether the
 * service conforms. Prints nothing but a warning of Node's for each report that can't be written, reads of the environment what
 * names proxies and of `.env` nothing, and writes only what `reportDir` and `writeKnownFailures` ask for. Rejects with a
 * SettingsError where a setting is unusable, and with another error where the suite itself fails; never for what the service
 * does.
 */
export async function judge(given: JudgeSettings, options: JudgeOptions = {}): Promise<Report> {
  const { onOutcome, signal } = readOptions(options);
  const { target, settings, knownFailures, reportDir } = await prepare(given);
  const selected = select(
    requirements.map(({ slug }) => slug),
    settings.selection,
  );
  const { baseUrl } = target;
  const start = { date: new Date(), clock: performance.now() };
  const { outcomes, record, tally, faults, coverage, reproductions } = await conduct({
    requirements,
    isWanted: (slug) => selected.has(slug),
    target,
    settings,
    ...(await explorationOf(settings, topics)),
    ...(onOutcome && { onOutcome: (outcome) => onOutcome(accept(outcome, knownFailures)) }),
    signal,
  });
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`The suite itself failed: ${fault}`);
  const accepted = new Map(outcomes.map((outcome) => [outcome.slug, accept(outcome, knownFailures)]));
  const report = makeReport({
    suite,
    target: { name: settings.name ?? new URL(baseUrl).host, baseUrl, embeddedReference: false },
    settings,
    knownFailures,
    start: start.date,
    duration: performance.now() - start.clock,
    tally,
    ...(coverage && { coverage }),
    ...(reproductions && { reproductions }),
    answerTimes: answerTimes(record),
    results: requirements.map(({ check, evidence, ...requirement }) => {
      const outcome = accepted.get(requirement.slug);
      return { requirement, leftOut: !selected.has(requirement.slug), ...(outcome && { outcome }) };
    }),
  });
  if (reportDir !== undefined) {
    removeReports(reportDir, false);
    const missing = writeReports(report, trace(record, [...accepted.values()]), reportDir);
    for (const sentence of missing) process.emitWarning(sentence);
  }
  if (settings.writeKnownFailures !== undefined) {
    const { writeKnownFailures } = await import('../reports/known-failures-file.ts');
    await writeKnownFailures(report, settings.writeKnownFailures);
  }
  return report;
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
