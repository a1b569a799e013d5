import { statSync } from 'node:fs';
import { join } from 'node:path';
import { schemaError } from '../../schemas/validate.ts';
import { readUpTo } from '../settings/files.ts';
import { SettingsError } from '../settings/settings-error.ts';
import type { Report } from './report.ts';
import { inertLine } from './text.ts';

/** Bytes of a report; the suite writes none as large. */
const LIMIT = 64 * 1024 * 1024;

/**
 * Reads the report of a run from its report directory, or from the file itself. Nothing of it is trusted but its shape,
 * which is that of schemas/report.schema.json. Throws a SettingsError.
 */
export function readReport(path: string): Report {
  const file = isFolder(path) ? join(path, 'conformance.json') : path;
  const refuse = (why: string) => new SettingsError(inertLine(`${file} ${why}`));
  let text: string;
  try {
    text = readUpTo(file, LIMIT).toString();
  } catch (error) {
    throw refuse(`${(error as Error).message}: make a run first, or name its report directory.`);
  }
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    throw refuse('is no JSON text: make a run first, or name its report directory.');
  }
  const fault = schemaError('report.schema.json', report, 'report');
  if (fault) throw refuse(`is no report of this version of the suite (${fault}): make it again with this version.`);
  return report as Report;
}

/** Whether a path leads to a folder. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
