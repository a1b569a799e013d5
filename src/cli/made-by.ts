import type { FlagValues, NextCommand } from '../reports/next-command.ts';
import { programHere, shellWord } from '../reports/next-command.ts';
import { settingRows } from '../settings/table.ts';

/** Variables whose values no report shows. A command line may hold secrets of its own. */
const UNSHOWN = ['API_KEY', 'CONFORMANCE_HEADERS', 'CONFORMANCE_START'];

/**
 * Returns the command that makes the same run again. Settings keep the names by which the user gave
 * them: `typed` has the values of flags by variable. `.env` is read again.
 */
export function commandOf(
  typed: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): NextCommand {
  const flags: FlagValues = {};
  const variables: string[] = [];
  const needs: string[] = [];
  for (const { variable, flag, kind } of settingRows) {
    const value = typed[variable];
    const set = environment[variable];
    if (value !== undefined && flag !== undefined && variable !== 'CONFORMANCE_HEADERS')
      flags[flag] = kind.isSwitch ? true : value;
    else if (value !== undefined || (set && UNSHOWN.includes(variable))) needs.push(variable);
    else if (set) variables.push(`${variable}=${shellWord(set)}`);
  }
  const program = programHere(`node ${shellWord(process.argv[1] ?? '')}`);
  return { variables, program, flags, needs };
}
