import { schemaError } from '../../schemas/validate.ts';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { type JudgedAgain, judgeAgain } from '../conduct/again.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { readRunFile, unusableRun } from '../reports/read-run-file.ts';
import type { RunFile } from '../reports/run-file.ts';
import type { RunResult } from '../reports/run-result.ts';
import { select } from '../settings/selection.ts';
import type { Settings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { accepting, resultOf, type Terms } from './result.ts';

/** What is wanted and was not left out of the run. Throws a SettingsError where nothing is. */
function selectionIn({ leftOut }: RunFile, { selection }: Pick<Settings, 'selection'>): (slug: string) => boolean {
  const wanted = select(
    requirements.map(({ slug }) => slug),
    selection,
  );
  for (const slug of leftOut) wanted.delete(slug);
  if (wanted.size === 0) throw new SettingsError('What --only and --skip leave was left out of that run.');
  return (slug) => wanted.has(slug);
}

/**
 * Judges a run again by the file that it has left, whoever wrote it: what comes of it must be what comes of a run, or the file
 * is none. Sends nothing. Throws a SettingsError.
 */
export function judgeFile(path: string, terms: Terms & { settings: Pick<Settings, 'selection'> }): RunResult {
  const run = readRunFile(path);
  const isWanted = selectionIn(run, terms.settings);
  const absent = otherSet(run) ?? 'the run ended before it';
  const wanted = requirements.filter(({ slug }) => isWanted(slug));
  let judged: JudgedAgain;
  let result: Pick<RunResult, 'report' | 'traced'>;
  try {
    judged = judgeAgain(run, wanted, absent);
    const accept = accepting(terms);
    const outcomes = new Map(judged.outcomes.map((one) => [one.slug, accept(one)]));
    const { target, readOnly, duration, tally, obstacle, coverage, reproductions } = run;
    const counts = { tally, ...(obstacle && { obstacle }), ...(coverage && { coverage }) };
    const over = { ...counts, ...(reproductions && { reproductions }), target, readOnly, duration };
    const record = judged.record as ShownExchange[];
    result = resultOf({ ...over, start: new Date(run.start), isWanted, record, outcomes }, terms);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw unusableRun(path, 'has a record that this version of the suite can not judge');
  }
  const fault =
    judged.faults[0] ??
    schemaError('report.schema.json', result.report, 'its report') ??
    judged.record.flatMap((one) => schemaError('report.schema.json#/$defs/exchange', one, 'an exchange') ?? [])[0];
  if (fault) throw unusableRun(path, `has a record that this version of the suite can not judge: ${fault}`);
  return { ...result, created: run.created, faults: run.faults, run };
}

/** Says that the run was made by another set of requirements; nothing where it was not. */
export function otherSet({ suite: { requirementSet } }: RunFile): string | undefined {
  const sets = `the run was made with requirement set ${requirementSet}, and this version of the suite has ${suite.requirementSet}`;
  const order = requirementSet.localeCompare(suite.requirementSet, 'en', { numeric: true });
  if (order === 0) return undefined;
  return order < 0
    ? `${sets}: what is new and was not sent is not verified`
    : `${sets}: a newer version of the suite judges all of it`;
}
