import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { schemaError } from '../../schemas/validate.ts';
import { SettingsError } from '../settings/settings-error.ts';
import type { Report } from './report.ts';
import { inertLine } from './text.ts';

/**
 * Reads the report of a run from its report directory, or from the file itself. Nothing of it is trusted but its shape,
 * which is that of schemas/report.schema.json. Throws a SettingsError.
 */
export function readReport(path: string): Report {
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const file = isDirectory ? join(path, 'conformance.json') : path;
  const refuse = (why: string) => new SettingsError(inertLine(`${file} ${why}`));
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw refuse("can't be read: make a run first, or name its report directory.");
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
