import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { decoded, readUpTo } from './files.ts';
import { nearest } from './nearest.ts';
import { SettingsError } from './settings-error.ts';
import { settingRows } from './table.ts';
import { EMBEDDED, holdsKey } from './target.ts';

/** What is set, by its variable, before it is read. */
export type Variables = Record<string, string | undefined>;

/** What the environment and `.env` of a folder set, and what to say of it. Throws a SettingsError. */
export function readVariables(environment: NodeJS.ProcessEnv, directory: string) {
  const file = readEnvFile(directory);
  const { values, notices } = file ? takenFrom(file, environment) : { values: {}, notices: [] };
  return { file, given: own({ ...values, ...environment }), notices };
}

/** The same without a prototype: nobody sets anything by changing that of all objects. */
export function own(given: Variables): Variables {
  return Object.assign(Object.create(null), given);
}

/** Bytes of `.env`: hundreds of times as many as one has. */
const LIMIT = 1024 * 1024;

const TARGET = 'a line BASE_URL=https://api.example.com/v1 and a line API_KEY=…';

/**
 * Reads `.env` of a folder, in UTF-8 or UTF-16: values by their variables; undefined where there is none. Throws a
 * SettingsError.
 */
function readEnvFile(directory: string): Record<string, string> | undefined {
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
function takenFrom(values: Record<string, string>, environment: NodeJS.ProcessEnv) {
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

/**
 * Refuses a key that another setting holds as well, because reports and messages show those; then variables that are no
 * settings.
 */
export function check(given: Variables, directory: string): void {
  const others = settingRows.filter(({ variable }) => variable !== 'API_KEY');
  const values = others.map(({ variable }) => [variable, given[variable] ?? ''] as const);
  const shown = [...values, ['This folder', directory] as const].find(([, value]) => holdsKey(value, given.API_KEY));
  // First of all: other errors show the value of a setting.
  if (shown) throw new SettingsError(`${shown[0]} holds the key, and reports show it: set it as API_KEY alone.`);
  const sentence = Object.keys(given).map(unknownName).find(Boolean);
  if (sentence !== undefined) throw new SettingsError(sentence);
}

const VARIABLES = settingRows.map(({ variable }) => variable);

/** Whether a variable is a setting. */
function isSetting(name: string): boolean {
  return VARIABLES.includes(name);
}

/** The setting that somebody may have meant by the name of another variable. */
function meantBy(name: string): string | undefined {
  return isSetting(name) || name.length > 80 ? undefined : nearest(name, VARIABLES);
}

/** What is wrong with a variable that begins like one of the suite and is no setting, a sentence; undefined for any other. */
function unknownName(name: string): string | undefined {
  if (isSetting(name) || !/^_*con?f/i.test(name)) return undefined;
  const meant = meantBy(name);
  if (meant?.startsWith('CONFORMANCE_')) return `${name} is not a setting: did you mean ${meant}?`;
  if (!/^CONFORMANCE_/i.test(name)) return undefined;
  const own = VARIABLES.filter((one) => one.startsWith('CONFORMANCE_'));
  return `${name} is not a setting; the settings are ${own.join(', ')}.`;
}
