import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import type { Selection } from './selection.ts';
import { SettingsError } from './settings-error.ts';
import { type SettingValues, settingRows, settingsTable } from './table.ts';
import { readTarget, type Target } from './target.ts';

export type { Target } from './target.ts';

/** The settings of a run, checked. */
export interface Settings extends Omit<SettingValues, 'baseUrl' | 'apiKey' | 'only' | 'skip'> {
  /** Absent: the embedded reference service. */
  target?: Target;
  selection: Selection;
  /** Sentences for the person that are no errors. */
  notices: string[];
}

/** What is set, by its variable, before it is read. */
export type Given = Record<string, string | undefined>;

/**
 * Reads the settings from the environment and from `.env` in the working directory; the environment wins. Throws a
 * SettingsError.
 */
export function readSettings(environment: NodeJS.ProcessEnv, directory: string): Settings {
  return settingsOf(readGiven(environment, directory), directory);
}

/** Reads the settings from variables alone; paths are relative to the directory. Throws a SettingsError. */
export function settingsOf(given: Given, directory: string): Settings {
  refuseUnknown(given);
  const target = readTarget(given.BASE_URL, given.API_KEY);
  const names = Object.keys(settingsTable) as (keyof SettingValues)[];
  const values = names.map((name) => [name, readOne(name, given, directory)] as const);
  const set = Object.fromEntries(values.filter(([, value]) => value !== undefined)) as unknown as SettingValues;
  const { baseUrl: _, apiKey: __, only, skip, ...others } = set;
  if (target && others.name?.includes(target.apiKey)) {
    throw new SettingsError('CONFORMANCE_NAME holds the key, and reports show the name: choose another.');
  }
  if (others.start && !target) {
    throw new SettingsError('CONFORMANCE_START needs BASE_URL: the address at which the started service answers.');
  }
  return {
    ...(target && { target }),
    ...others,
    selection: { only, skip },
    notices:
      target === undefined && given.API_KEY
        ? ['API_KEY is set but BASE_URL is not: this run judges the embedded reference service, not yours.']
        : [],
  };
}

/** Reads the report directory alone, from the same places, for what needs no target. */
export function readReportDir(environment: NodeJS.ProcessEnv, directory: string): string {
  return readOne('reportDir', readGiven(environment, directory), directory);
}

/** Reads which requirements are wanted, from the same places, for what needs no target either. */
export function readSelection(environment: NodeJS.ProcessEnv, directory: string): Selection {
  const given = readGiven(environment, directory);
  return { only: readOne('only', given, directory), skip: readOne('skip', given, directory) };
}

function readGiven(environment: NodeJS.ProcessEnv, directory: string): Given {
  const file = join(directory, '.env');
  return { ...(existsSync(file) ? parse(readFileSync(file)) : {}), ...environment };
}

function readOne<Name extends keyof SettingValues>(name: Name, given: Given, directory: string): SettingValues[Name] {
  const { variable, kind, default: fallback } = settingsTable[name];
  return kind.read(given[variable] || fallback, { variable, directory }) as SettingValues[Name];
}

function refuseUnknown(given: Given): void {
  const ours = settingRows.map(({ variable }) => variable).filter((name) => name.startsWith('CONFORMANCE_'));
  const unknown = Object.keys(given).find((name) => name.startsWith('CONFORMANCE_') && !ours.includes(name));
  if (unknown !== undefined) {
    throw new SettingsError(`${unknown} is no setting of this suite; the settings are ${ours.join(', ')}.`);
  }
}
