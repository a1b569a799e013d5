import { relative } from 'node:path';
import type { FlagValues, NextCommand } from '../reports/next-command.ts';
import { programHere, shellWord } from '../reports/next-command.ts';
import { settingRows } from '../settings/table.ts';

/** Variables whose values no report shows: secrets, and a command that may contain some. */
const HIDDEN = ['API_KEY', 'CONFORMANCE_HEADERS', 'CONFORMANCE_START'];

/**
 * Returns the command that makes the same run again. A setting stays a flag or a variable, as the
 * user gave it; `flagValues` has the values of flags by variable. Settings of `.env` are left out.
 */
export function makeRerunCommand(
  flagValues: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): NextCommand {
  const flags: FlagValues = {};
  const variables: string[] = [];
  const needs: string[] = [];
  for (const { variable, flag, kind } of settingRows) {
    const flagValue = flagValues[variable];
    const value = environment[variable];
    if (flagValue !== undefined && flag !== undefined && variable !== 'CONFORMANCE_HEADERS')
      flags[flag] = kind.isSwitch ? true : flagValue;
    else if (flagValue !== undefined || (value && HIDDEN.includes(variable))) needs.push(variable);
    else if (value) variables.push(`${variable}=${shellWord(value)}`);
  }
  return { variables, program: commandHere(), flags, needs };
}

/** Returns the words that call this command again. */
export function commandHere(): string {
  const [, script = ''] = process.argv;
  const fromHere = relative('', script);
  return programHere(`node ${shellWord(fromHere.startsWith('..') ? script : fromHere)}`);
}
