import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { schemaError } from '../../schemas/validate.ts';
import { shorten } from '../http/value.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { readUpTo } from '../settings/files.ts';
import type { ListedFailure } from '../verdict/accept.ts';
import { isBeyondLimits, LIMIT } from './limits.ts';
import { summarizeOutcomes } from './make-report.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { FORMAT, type RunFile } from './run-result.ts';
import { sanitizeLine } from './text.ts';

/** The texts of a requirement that this version of the suite does not have. */
const UNKNOWN = {
  chapter: 'No longer checked',
  source: { text: 'another set of requirements' },
  sentence: '',
};

/**
 * Reads an untrusted report from its report directory or from the file itself, which must not be a
 * link. It must have the shape of schemas/report.schema.json. Texts come from `known`, not from the
 * file, and the verdict and the counts follow from the outcomes. A requirement that is not in
 * `known` is rejected; with `keepsUnknown` it keeps its slug, level and outcome, but not its texts.
 * Throws a SettingsError.
 */
export function readReport(
  path: string,
  known: readonly RequirementInfo[],
  { keepsUnknown = false } = {},
): Report {
  const isDirectory = unlessThrown(() => statSync(path).isDirectory());
  const file = isDirectory ? join(path, 'conformance.json') : path;
  const report = readShape(file);
  const infos = new Map(known.map((info) => [info.slug, info]));
  const slugs = report.requirements.flatMap(({ id, needs = id }) => [id, needs]);
  const unknown = slugs.find((slug) => !infos.has(slug));
  if (unknown !== undefined && !keepsUnknown) {
    const reason = `has the requirement ${unknown}, which this version of the suite does not have.`;
    throw unusableFile(file, reason);
  }
  const duplicate = duplicateIn(report.requirements.map(({ id }) => id));
  if (duplicate !== undefined)
    throw unusableFile(file, `has a duplicate requirement, ${duplicate}.`);
  const requirements = report.requirements.map((row): ReportedRequirement => {
    const info = infos.get(row.id) ?? { ...UNKNOWN, level: row.level };
    const { level, chapter, source, sentence } = info;
    return { ...row, level, chapter, source, sentence };
  });
  const { toChange, ...summary } = summarizeOutcomes(
    { ...report, requirements },
    entriesIn(report),
  );
  return {
    ...report,
    ...summary,
    knownFailures: { ...report.knownFailures, toChange },
    requirements,
  };
}

/** Reads a report that has the shape of the schema. Throws a SettingsError. */
function readShape(file: string): Report {
  const noReport = (reason: string) =>
    unusableFile(file, `${reason}: run the suite first, or give the report directory of a run.`);
  if (unlessThrown(() => lstatSync(file).isSymbolicLink()))
    throw noReport('is a symbolic link, which is not followed');
  const bytes = readUpTo(file, LIMIT.bytes, noReport);
  if (isBeyondLimits(bytes)) throw noReport('is larger than a report');
  const report: Report | undefined = unlessThrown(() => JSON.parse(bytes.toString()));
  if (report === undefined) throw noReport('is not JSON');
  const fault = schemaError('report', report, 'report');
  if (fault === undefined) return report;
  throw unusableFile(
    file,
    `is not a report of this version of the suite (${fault}): run it again with this version.`,
  );
}

function duplicateIn(slugs: readonly string[]): string | undefined {
  const unseen = new Set(slugs);
  return slugs.find((slug) => !unseen.delete(slug));
}

/** Returns the known failures that were out of date in a run, with their places. */
function entriesIn({ knownFailures: { listed, toChange }, start }: Report): ListedFailure[] {
  return toChange.flatMap(({ slug, file, line }) => {
    const entry = listed.find((failure) => failure.slug === slug);
    if (entry === undefined) return [];
    const expired = entry.expires !== undefined && entry.expires < start.slice(0, 10);
    return [{ ...entry, file, line, expired }];
  });
}

/** Creates the error for a report or a run that can't be used; `reason` is a clause. */
export const unusableFile = (path: string, reason: string): SettingsError =>
  new SettingsError(sanitizeLine(shorten(`${path} ${reason}`, 400)));

/**
 * Reads an untrusted `run.json.gz`. Its history, without the exchanges, is validated only when it is
 * judged. Throws a SettingsError.
 */
export function readRunFile(path: string): RunFile {
  const unusable = (reason: string) => unusableFile(path, reason);
  const file = readUpTo(path, LIMIT.compressedBytes, unusable);
  const bytes = unlessThrown(() => gunzipSync(file, { maxOutputLength: LIMIT.bytes }));
  if (bytes && isBeyondLimits(bytes))
    throw unusable('is not a run.json.gz: it is larger than a run');
  const run: RunFile | undefined = unlessThrown(() => JSON.parse(`${bytes}`));
  if (run === undefined) throw unusable('is not a run.json.gz');
  const version = typeof run?.suite?.version === 'string' ? ` (${run.suite.version})` : '';
  if (typeof run?.format === 'number' && run.format !== FORMAT) {
    throw unusable(
      `was made by another version of the suite${version}: only that version can check it again`,
    );
  }
  const fault = schemaError('run', run, 'run');
  if (fault) throw unusable(`is not a run.json.gz of this suite: ${fault}`);
  return run;
}
