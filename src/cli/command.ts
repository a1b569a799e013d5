import { readFileSync } from 'node:fs';
import { sanitizeLine } from '../reports/text.ts';
import { SettingsError } from '../settings/errors.ts';
import { messageWithoutKey, pickSettings, refuseIdleFlags } from '../settings/settings.ts';
import { holdsKey } from '../settings/target.ts';
import { readVariables } from '../settings/variables.ts';
import { EXIT } from '../verdict/verdict.ts';
import { namingFlags, readFlags } from './flags.ts';

// What only one of the commands needs is loaded by that one.
const commands: Record<string, (args: string[]) => Promise<number>> = {
  compare: async (args) => print((await import('./made-runs.ts')).compare(args)),
  again: async (args) => (await import('./made-runs.ts')).again(args),
  explain: async (args) => print(await (await import('./explain.ts')).explain(args)),
  init: async (args) => print(await (await import('./init.ts')).init(args)),
  help: async ([command = '']) => print(helpOf(command)),
};

/**
 * The command line: one conformance run, or one of the commands that look at runs that were made. Flags win over the
 * environment, which wins over `.env`. Without a target only a clone judges the embedded reference service. Returns the
 * exit code (see EXIT).
 */
export async function main(args: string[], isClone = false): Promise<number> {
  try {
    const { values } = readVariables(process.env, process.cwd());
    // A process list shows arguments, and errors show what is wrong with one.
    if (args.some((one) => holdsKey(one, values.API_KEY))) {
      throw new SettingsError(
        'An argument holds the key, and a process list shows arguments: set it as API_KEY.',
      );
    }
    const [first = '', ...rest] = args;
    if (args.some((one) => one === '-h' || one === '--help')) return print(helpOf(first));
    const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
    return await namingFlags({}, () => command?.(rest) ?? runByFlags(args, isClone));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const message = messageWithoutKey(error, process.env, process.cwd());
    process.stderr.write(`${[sanitizeLine(message), ...error.below].join('\n')}\n`);
    return EXIT.settings;
  }
}

/** Returns the help of a command that has its own, otherwise that of all. Each fits a screen. */
function helpOf(command: string): string {
  const hasOwn = command !== 'help' && Object.hasOwn(commands, command);
  const file = hasOwn ? `./help/${command}.txt` : './help.txt';
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

async function runByFlags(args: string[], isClone: boolean): Promise<number> {
  const flags = readFlags(args, Object.keys(commands));
  const environment = { ...process.env, ...flags.values };
  return namingFlags(
    flags.values,
    async () => {
      refuseIdleFlags(flags.values, environment, process.cwd());
      if (!flags.given.has('list'))
        return (await import('./run.ts')).run(environment, flags, isClone);
      const { list } = await import('./list.ts');
      const { selection } = pickSettings(['only', 'skip'], environment, process.cwd());
      return print(list(selection));
    },
    { updates: flags.given.has('update-known-failures') },
  );
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.conformant;
}
