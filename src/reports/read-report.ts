import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { schemaError } from '../../schemas/validate.ts';
import { shorten } from '../http/value.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { readUpTo, SettingsError, unlessThrown } from '../settings/errors.ts';
import type { ListedFailure } from '../verdict/verdict.ts';
import { decideOn, type Report, type ReportedRequirement } from './report.ts';
import { FORMAT, LIMIT, type RunFile } from './run-result.ts';
import { inertLine } from './text.ts';

/** What is shown of a requirement that this version of the suite does not have. */
const UNKNOWN = {
  chapter: 'No longer checked',
  source: { text: 'another set of requirements' },
  sentence: '',
};

/**
 * Reads a report that anybody may have written, from its report directory or from the file itself, which is never a
 * link. Its shape must be that of schemas/report.schema.json. What the suite knows itself is not taken from it: each
 * requirement is found in `known` by its slug, and the verdict and the counts follow from the outcomes. With
 * `keepsUnknown` a requirement that is not in `known` keeps its level and outcome, and of its texts the slug alone.
 * Throws a SettingsError.
 */
export function readReport(
  path: string,
  known: readonly RequirementInfo[],
  { keepsUnknown = false } = {},
): Report {
  const isDirectory = unlessThrown(() => statSync(path).isDirectory());
  const file = isDirectory ? join(path, 'conformance.json') : path;
  const refuse = (why: string) => unusableFile(file, why);
  const noReport = (why: string) =>
    refuse(`${why}: run the suite first, or give the report directory of a run.`);
  if (unlessThrown(() => lstatSync(file).isSymbolicLink()))
    throw noReport('is a symbolic link, which is not followed');
  // The suite writes none as large.
  const text = readUpTo(file, 64 * 2 ** 20, noReport).toString();
  const report: Report | undefined = unlessThrown(() => JSON.parse(text));
  if (report === undefined) throw noReport('is not JSON');
  const fault = schemaError('report', report, 'report');
  if (fault)
    throw refuse(
      `is not a report of this version of the suite (${fault}): run it again with this version.`,
    );
  const infos = new Map(known.map((info) => [info.slug, info]));
  const unknown = report.requirements
    .flatMap(({ id, needs = id }) => [id, needs])
    .find((slug) => !infos.has(slug));
  if (unknown !== undefined && !keepsUnknown) {
    throw refuse(`has the requirement ${unknown}, which this version of the suite does not have.`);
  }
  const ids = report.requirements.map(({ id }) => id);
  const unseen = new Set(ids);
  const twice = ids.find((id) => !unseen.delete(id));
  if (twice !== undefined) throw refuse(`has a duplicate requirement, ${twice}.`);
  const requirements = report.requirements.map((row): ReportedRequirement => {
    const { level, chapter, source, sentence } = infos.get(row.id) ?? {
      ...UNKNOWN,
      level: row.level,
    };
    return { ...row, level, chapter, source, sentence };
  });
  const { toChange, ...decided } = decideOn({ ...report, requirements }, entriesIn(report));
  return {
    ...report,
    ...decided,
    knownFailures: { ...report.knownFailures, toChange },
    requirements,
  };
}

/** The known failures that had to be changed in a run, with their place. */
function entriesIn({ knownFailures: { listed, toChange }, start }: Report): ListedFailure[] {
  return toChange.flatMap(({ slug, file, line }) => {
    const entry = listed.find((one) => one.slug === slug);
    const expired = entry?.expires !== undefined && entry.expires < start.slice(0, 10);
    return entry ? [{ ...entry, file, line, expired }] : [];
  });
}

/** A SettingsError on a report or a run that can't be used; `why` is a clause. */
export const unusableFile = (path: string, why: string) =>
  new SettingsError(inertLine(shorten(`${path} ${why}`, 400)));

/**
 * Reads such a file, which anybody may have written; its record is read by whoever judges it. Throws a SettingsError.
 */
export function readRunFile(path: string): RunFile {
  const refuse = (why: string) => unusableFile(path, why);
  const file = readUpTo(path, LIMIT.file, refuse);
  const text = () => gunzipSync(file, { maxOutputLength: LIMIT.text }).toString();
  const run: RunFile | undefined = unlessThrown(() => JSON.parse(text()));
  if (run === undefined) throw refuse('is not a run.json.gz');
  const version = typeof run?.suite?.version === 'string' ? ` (${run.suite.version})` : '';
  if (typeof run?.format === 'number' && run.format !== FORMAT) {
    throw refuse(
      `was made by another version of the suite${version}: only that version can check it again`,
    );
  }
  const fault = schemaError('run', run, 'run');
  if (fault) throw refuse(`is not a run.json.gz of this suite: ${fault}`);
  return run;
}
