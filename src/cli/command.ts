import { sanitizeLine } from '../reports/text.ts';
import { SettingsError } from '../settings/errors.ts';
import { messageWithoutKey, pickSettings, refuseIdleFlags } from '../settings/settings.ts';
import { holdsKey } from '../settings/target.ts';
import { readText } from '../settings/text-file.ts';
import { readVariables } from '../settings/variables.ts';
import { EXIT } from '../verdict/verdict.ts';
import { readFlags, withFlagNames } from './flags.ts';

/** The commands. Each loads its own modules. */
const commands: Record<string, (args: string[]) => Promise<number>> = {
  compare: async (args) => print((await import('./compare.ts')).compare(args)),
  again: async (args) => (await import('./again.ts')).again(args),
  explain: async (args) => print(await (await import('./explain.ts')).explain(args)),
  init: async (args) => print(await (await import('./init.ts')).init(args)),
  help: async ([command = '']) => print(readHelp(command)),
};

/**
 * Runs the command line: a conformance run or one of the commands. Flags win over the environment,
 * which wins over `.env`. Only a clone judges the embedded reference service by default. Returns the
 * exit code.
 */
export async function main(args: string[], isClone = false): Promise<number> {
  try {
    const { values } = readVariables(process.env, process.cwd());
    if (args.some((arg) => holdsKey(arg, values.API_KEY))) {
      throw new SettingsError(
        'An argument holds the key, and a process list shows arguments: set it as API_KEY.',
      );
    }
    const [first = '', ...rest] = args;
    if (args.includes('-h') || args.includes('--help')) return print(readHelp(first));
    const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
    return await withFlagNames(args, () => command?.(rest) ?? runByFlags(args, isClone));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const message = messageWithoutKey(error, process.env, process.cwd());
    process.stderr.write(`${[sanitizeLine(message), ...error.below].join('\n')}\n`);
    return EXIT.settings;
  }
}

/** Returns the help of a command, otherwise the general help. */
function readHelp(command: string): string {
  const hasOwn = command !== 'help' && Object.hasOwn(commands, command);
  const file = hasOwn ? `./help/${command}.txt` : './help.txt';
  return readText(file, import.meta.url);
}

async function runByFlags(args: string[], isClone: boolean): Promise<number> {
  const flags = readFlags(args, Object.keys(commands));
  const environment = { ...process.env, ...flags.values };
  refuseIdleFlags(flags.values, environment, process.cwd());
  if (!flags.names.has('list')) {
    const { run } = await import('./run.ts');
    return run(environment, flags, isClone);
  }
  const { list } = await import('./list.ts');
  const { selection } = pickSettings(['only', 'skip'], environment, process.cwd());
  return print(list(selection));
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.conformant;
}
