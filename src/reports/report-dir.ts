import { accessSync, constants } from 'node:fs';
import { codeOf, makeFolder } from '../settings/files.ts';
import { SettingsError } from '../settings/settings-error.ts';

/** Creates the report directory. Throws a SettingsError where reports can't be written. */
export function makeReportDir(directory: string, advice = 'set CONFORMANCE_REPORT_DIR'): void {
  try {
    makeFolder(directory);
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new SettingsError(`Reports can't be written to ${directory} (${codeOf(error)}): ${advice}.`);
  }
}
