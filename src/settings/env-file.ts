import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { decoded, readUpTo } from './files.ts';
import { isSetting, meantBy } from './names.ts';
import { SettingsError } from './settings-error.ts';
import { EMBEDDED } from './target.ts';

/** Bytes of `.env`: hundreds of times as many as one has. */
const LIMIT = 1024 * 1024;

const TARGET = 'a line BASE_URL=https://api.example.com/v1 and a line API_KEY=…';

/**
 * Reads `.env` of a folder, in UTF-8 or UTF-16: values by their variables; undefined where there is none. Throws a
 * SettingsError.
 */
export function readEnvFile(directory: string): Record<string, string> | undefined {
  const path = join(directory, '.env');
  if (!existsSync(path)) return undefined;
  const refuse = (why: string) =>
    new SettingsError(`The file .env of this folder ${why}: it should be a text file with ${TARGET}.`);
  return parse(decoded(readUpTo(path, LIMIT, refuse)));
}

/** What `.env` may set in a CI: a checkout must not choose what is started there, or where files are written. */
const IN_CI = ['BASE_URL', 'API_KEY'];

/** Whether an environment is that of a CI. */
export function isCi({ CI = '' }: NodeJS.ProcessEnv): boolean {
  return !['', '0', 'false'].includes(CI);
}

/**
 * What of the file counts beside an environment, which wins; where `CI` is set there, no more than the target. With
 * sentences on what was taken and what was not, by names alone.
 */
export function takenFrom(values: Record<string, string>, environment: NodeJS.ProcessEnv) {
  const counts = (name: string) => !isCi(environment) || IN_CI.includes(name);
  const names = Object.keys(values).filter(
    (name) => isSetting(name) && values[name] && environment[name] === undefined,
  );
  const [taken, ignored] = [names.filter(counts), names.filter((name) => !counts(name))];
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => counts(name))),
    notices: [
      ...(taken.length > 0 ? [`from .env: ${taken.join(', ')}`] : []),
      ...(ignored.length > 0 ? [`not from .env, because CI is set: ${ignored.join(', ')}`] : []),
    ],
  };
}

/**
 * What is wrong with a file that names no target: the run would judge the embedded reference service, and a green one would
 * say nothing. It shows no value, because one of them may be the key.
 */
export function withoutTarget(values: Record<string, string>): SettingsError {
  const meant = Object.keys(values).flatMap((name) => (meantBy(name) ? `${name} (${meantBy(name)}?)` : []));
  const seen = meant.length === 0 ? '' : `, it has ${meant.join(', ')}`;
  return new SettingsError(
    `The file .env of this folder names no target${seen}: it needs ${TARGET}, or BASE_URL=${EMBEDDED} for the embedded reference service.`,
  );
}
