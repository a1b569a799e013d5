import { gunzipSync } from 'node:zlib';
import { schemaError } from '../../schemas/validate.ts';
import { shorten } from '../http/value.ts';
import { readUpTo, unlessThrown } from '../settings/files.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { FORMAT, LIMIT, type RunFile } from './run-file.ts';
import { inertLine } from './text.ts';

/** Characters of a sentence on what is wrong with a file. */
const SENTENCE = 400;

/** A SettingsError on a report or a run that can't be used; `why` is a clause. */
export function unusableFile(path: string, why: string): SettingsError {
  return new SettingsError(inertLine(shorten(`${path} ${why}`, SENTENCE)));
}

/** Reads such a file, which anybody may have written; its record is read by whoever judges it. Throws a SettingsError. */
export function readRunFile(path: string): RunFile {
  const refuse = (why: string) => unusableFile(path, why);
  const file = readUpTo(path, LIMIT.file, refuse);
  const text = () => gunzipSync(file, { maxOutputLength: LIMIT.text }).toString();
  const run: RunFile | undefined = unlessThrown(() => JSON.parse(text()));
  if (run === undefined) throw refuse('is not a run.json.gz');
  const version = typeof run?.suite?.version === 'string' ? ` (${run.suite.version})` : '';
  if (typeof run?.format === 'number' && run.format !== FORMAT) {
    throw refuse(`was made by another version of the suite${version}: only that version can check it again`);
  }
  const fault = schemaError('run.schema.json', run, 'run');
  if (fault) throw refuse(`is not a run.json.gz of this suite: ${fault}`);
  return run;
}
