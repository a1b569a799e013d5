import { readFileSync } from 'node:fs';
import { inertLine } from '../reports/text.ts';
import { SettingsError } from '../settings/errors.ts';
import { readSome, readVariables, refuseIdleFlags } from '../settings/settings.ts';
import { holdsKey } from '../settings/target.ts';
import { EXIT } from '../verdict/verdict.ts';
import { flagRows, readFlags } from './flags.ts';

// What only one of the commands needs is loaded by that one.
const commands: Record<string, (args: string[]) => Promise<number>> = {
  compare: async (args) => print((await import('./made-runs.ts')).compare(args)),
  merge: async (args) => (await import('./made-runs.ts')).merge(args),
  again: async (args) => (await import('./made-runs.ts')).again(args),
  init: async (args) => print((await import('./init.ts')).init(args)),
  // It fits a screen of 48 lines of 120 characters.
  help: async () => print(readFileSync(new URL('./help.txt', import.meta.url), 'utf8')),
};

/**
 * The command line: one conformance run, or one of the commands that look at runs that were made. Flags win over the
 * environment, which wins over `.env`. Without a target only a clone judges the embedded reference service. Returns the
 * exit code (see EXIT).
 */
export async function main(args: string[], isClone = false): Promise<number> {
  try {
    const { given } = readVariables(process.env, process.cwd());
    // A process list shows arguments, and errors show what is wrong with one.
    if (args.some((one) => holdsKey(one, given.API_KEY))) {
      throw new SettingsError(
        'An argument holds the key, and a process list shows arguments: set it as API_KEY.',
      );
    }
    const [first = '', ...rest] = args;
    const name = args.some((one) => one === '-h' || one === '--help') ? 'help' : first;
    return (
      (await (Object.hasOwn(commands, name)
        ? commands[name]?.(rest)
        : runByFlags(args, isClone))) ?? EXIT.fault
    );
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${[inertLine(error.message), ...error.below].join('\n')}\n`);
    return EXIT.settings;
  }
}

async function runByFlags(args: string[], isClone: boolean): Promise<number> {
  const flags = readFlags(args, Object.keys(commands));
  const environment = { ...process.env, ...flags.values };
  try {
    refuseIdleFlags(flags.values, environment, process.cwd());
    if (!flags.given.has('list'))
      return await (await import('./run.ts')).run(environment, flags, isClone);
    const { list } = await import('./list.ts');
    const { selection } = readSome(['only', 'skip'], environment, process.cwd());
    return print(list(selection));
  } catch (error) {
    throw error instanceof SettingsError ? namedAsTyped(error, flags.values) : error;
  }
}

/** Names a setting by its flag, where the user gave it by one. */
function namedAsTyped(error: SettingsError, values: Record<string, string>): SettingsError {
  const { message } = error;
  const typed = flagRows.find(
    ({ variable }) => values[variable] !== undefined && message.startsWith(`${variable} `),
  );
  if (typed) error.message = message.replace(typed.variable, `--${typed.flag}`);
  return error;
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.conformant;
}
