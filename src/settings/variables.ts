import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { SettingsError } from './errors.ts';
import { decodeText, readUpTo } from './files.ts';
import { nameOf } from './names.ts';
import { nearest } from './nearest.ts';
import { ownOnly } from './own.ts';
import { settingRows } from './table.ts';
import { holdsKey } from './target.ts';

/** The variables of the environment and of `.env`. */
export interface Variables {
  /** The values; the environment wins. */
  values: NodeJS.ProcessEnv;
  /** The values of `.env`; undefined without this file. */
  envFile: Record<string, string> | undefined;
  /** Sentences that name the settings from `.env`, without values. */
  notices: string[];
}

/**
 * Reads the variables of an environment and of `.env` in a directory. In CI only the target is read
 * from the file: a checkout must not choose a command to start or a directory to write to. Throws a
 * SettingsError.
 */
export function readVariables(variables: NodeJS.ProcessEnv, directory: string): Variables {
  const environment = ownOnly(variables);
  const envFile = readEnvFile(directory);
  const names = Object.keys(envFile ?? {});
  const isUsed = (name: string) => !isCi(environment) || ['BASE_URL', 'API_KEY'].includes(name);
  const used = names.filter(isUsed);
  const ignored = names.filter((name) => !isUsed(name));
  const listSettings = (title: string, listed: readonly string[]) => {
    const settings = listed.filter(
      (name) => VARIABLES.includes(name) && envFile?.[name] && environment[name] === undefined,
    );
    return settings.length > 0 ? [`${title}: ${settings.join(', ')}`] : [];
  };
  const usedValues = Object.fromEntries(used.map((name) => [name, envFile?.[name]]));
  return {
    values: ownOnly({ ...usedValues, ...environment }),
    envFile,
    notices: [
      ...listSettings('from .env', used),
      ...listSettings('not from .env, because CI is set', ignored),
    ],
  };
}

/** Returns the environment of this process without secrets, for a program that needs none. */
export function environmentWithoutSecrets(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  // Windows ignores the case of names.
  return Object.fromEntries(entries.filter(([name]) => !SECRETS.includes(name.toUpperCase())));
}

const SECRETS = ['API_KEY', 'CONFORMANCE_HEADERS'];

/** Whether an environment is that of a CI. */
export function isCi(environment: NodeJS.ProcessEnv): boolean {
  const { CI = '' } = ownOnly(environment);
  return !['', '0', 'false'].includes(CI);
}

/** The lines that `.env` needs, for error messages. */
export const ENV_FILE_LINES = 'a line BASE_URL=https://api.example.com/v1 and a line API_KEY=…';

/** Reads `.env` in a directory; undefined without this file. Throws a SettingsError. */
function readEnvFile(directory: string): Record<string, string> | undefined {
  const path = join(directory, '.env');
  if (!existsSync(path)) return undefined;
  const toError = (clause: string) =>
    new SettingsError(
      `The file .env of this folder ${clause}: it should be a text file with ${ENV_FILE_LINES}.`,
    );
  return parse(decodeText(readUpTo(path, 1024 * 1024, toError)));
}

const THIS_FOLDER = 'This folder';

/**
 * Refuses a key that another setting or the directory contains, because reports and messages show
 * those. Refuses variables that look like misspelt settings. Throws a SettingsError.
 */
export function checkVariables(values: NodeJS.ProcessEnv, directory: string): void {
  const shown: NodeJS.ProcessEnv = { ...values, API_KEY: '', [THIS_FOLDER]: directory };
  const holder = [...VARIABLES, THIS_FOLDER].find((name) =>
    holdsKey(shown[name] ?? '', values.API_KEY),
  );
  // The key comes first, because other errors show values.
  if (holder)
    throw new SettingsError(
      `${nameOf(holder)} holds the key, and reports show it: set it as ${nameOf('API_KEY')} alone.`,
    );
  for (const name of Object.keys(values)) checkName(name);
}

const VARIABLES = settingRows.map(({ variable }) => variable);

/** Refuses a name that begins like that of a setting and is none. Throws a SettingsError. */
function checkName(name: string): void {
  if (VARIABLES.includes(name) || !/^_*con?f/i.test(name)) return;
  const suggestion = suggestVariable(name);
  if (suggestion?.startsWith('CONFORMANCE_'))
    throw new SettingsError(`${name} is not a setting: did you mean ${suggestion}?`);
  if (!/^CONFORMANCE_/i.test(name)) return;
  const settings = VARIABLES.filter((variable) => variable.startsWith('CONFORMANCE_'));
  throw new SettingsError(`${name} is not a setting; the settings are ${settings.join(', ')}.`);
}

/** Returns the setting that a misspelt variable probably means; undefined if none is similar. */
export function suggestVariable(name: string): string | undefined {
  if (VARIABLES.includes(name) || name.length > 80) return undefined;
  return nearest(name, VARIABLES);
}
