import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import { schemaError } from './schema.ts';
import { SettingsError } from './settings-error.ts';

/** A failure that a team accepts for the time being. */
export interface KnownFailure {
  slug: string;
  reason: string;
}

/** Reads a file of known failures (YAML or JSON, see schemas/known-failures.schema.json). Throws a SettingsError. */
export function readKnownFailures(file: string): KnownFailure[] {
  const name = basename(file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new SettingsError(`The file of known failures ${name} can't be read: check CONFORMANCE_KNOWN_FAILURES.`);
  }
  let content: unknown;
  try {
    content = parse(text) ?? [];
  } catch (error) {
    throw new SettingsError(`${name} is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  const fault = schemaError('known-failures.schema.json', content, name);
  if (fault) throw new SettingsError(`${fault}; each entry is "- slug: …" with a "reason: …" below it.`);
  const entries = content as KnownFailure[];
  const twice = entries.find((entry, index) => entries.findIndex(({ slug }) => slug === entry.slug) !== index);
  if (twice) throw new SettingsError(`${name} lists ${twice.slug} twice: keep one of the entries.`);
  return entries;
}
