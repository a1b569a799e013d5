import { inertLine } from '../reports/text.ts';
import { readKey, readSelection, refuseIdleFlags } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { holdsKey } from '../settings/target.ts';
import { EXIT } from '../verdict/verdict.ts';
import { flagRows, readFlags } from './flags.ts';

// What only one of the commands needs is loaded by that one.
const commands: Record<string, (args: string[]) => Promise<number>> = {
  compare: async (args) => {
    const { compare } = await import('./compare.ts');
    return print(compare(args));
  },
  merge: async (args) => (await import('./merge.ts')).merge(args),
  reproduce: async (args) => (await import('./reproduce.ts')).reproduce(args),
  again: async (args) => (await import('./again.ts')).again(args),
  help: async () => print((await import('./help.ts')).help()),
  init: async (args) => print(await (await import('./init/init.ts')).init(args)),
};

/**
 * The command line: one conformance run, or one of the commands that look at runs that were made. Flags win over the
 * environment, which wins over `.env`. Only in a clone a run without a target judges the embedded reference service. Returns the exit code
 * (see EXIT).
 */
export async function main(args: string[], isClone = false): Promise<number> {
  try {
    refuseKeyIn(args);
    const [name = '', ...rest] = args;
    return (await (Object.hasOwn(commands, name) ? commands[name]?.(rest) : runByFlags(args, isClone))) ?? EXIT.fault;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${[inertLine(error.message), ...error.below].join('\n')}\n`);
    return EXIT.settings;
  }
}

async function runByFlags(args: string[], isClone: boolean): Promise<number> {
  const { on, values, watchPath } = readFlags(args);
  if (on.has('help')) return print((await import('./help.ts')).help());
  const environment = { ...process.env, ...values };
  try {
    refuseIdleFlags(values, environment, process.cwd());
    if (!on.has('list')) {
      const { run } = await import('./run.ts');
      return await run(environment, process.env, { on, watchPath, isClone });
    }
    const { list, listAsJson } = await import('./list.ts');
    const selection = readSelection(environment, process.cwd());
    return print(on.has('json') ? await listAsJson(selection) : list(selection));
  } catch (error) {
    throw error instanceof SettingsError ? namedAsTyped(error, values) : error;
  }
}

/** Names a setting by its flag, where the user gave it by one. */
function namedAsTyped({ message, below }: SettingsError, values: Record<string, string>): SettingsError {
  const typed = flagRows.find(({ variable }) => values[variable] !== undefined && message.startsWith(`${variable} `));
  return new SettingsError(typed ? message.replace(typed.variable, `--${typed.flag}`) : message, below);
}

/** A process list shows arguments; and what is wrong with one is told with its text. */
function refuseKeyIn(args: string[]): void {
  const key = readKey(process.env, process.cwd());
  if (!args.some((one) => holdsKey(one, key))) return;
  throw new SettingsError(
    'An argument holds the key, and a process list shows arguments: the key is read from API_KEY.',
  );
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.conformant;
}
