import { COMPARE_USAGE, compare } from '../src/compare/command.ts';
import { parseFlags } from '../src/flags.ts';
import { settingRows } from '../src/settings.ts';
import { SettingsError } from '../src/settings-error.ts';
import { EXIT } from '../src/verdict.ts';
import { configure } from '../vitest.config.ts';

/**
 * One conformance run from the command line, or with `compare` a comparison of runs that were made before. Flags win over
 * the environment, which wins over `.env`.
 * Returns the exit code (see EXIT).
 */
export async function main(args: string[]): Promise<number> {
  try {
    if (args[0] === 'compare') {
      process.stdout.write(compare(args.slice(1)));
      return EXIT.conformant;
    }
    const flags = readFlags(args);
    if (flags.help) {
      process.stdout.write(help());
      return EXIT.conformant;
    }
    for (const [variable, value] of Object.entries(flags.values)) process.env[variable] = value;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT.settings;
  }
  const { configuration, reporter } = await configure();
  const { startVitest } = await import('vitest/node');
  await startVitest('test', [], { config: false, run: true }, configuration);
  return reporter.exitCode;
}

const flagRows = settingRows.filter((row) => 'flag' in row);

/** Reads the flags into the variables that they stand for. Throws a SettingsError. */
function readFlags(args: string[]): { help: boolean; values: Record<string, string> } {
  const options = Object.fromEntries(
    flagRows.map((row) => [row.flag, { type: 'value' in row ? ('string' as const) : ('boolean' as const) }]),
  );
  const { values } = parseFlags(
    { args, options: { ...options, help: { type: 'boolean', short: 'h' } } },
    'See --help for the flags; the key has none, it is read from API_KEY.',
  );
  const given = flagRows.flatMap(({ flag, variable }) => {
    const value = (values as Record<string, string | boolean | undefined>)[flag];
    return value === undefined ? [] : [[variable, value === true ? '1' : String(value)] as const];
  });
  return { help: values.help === true, values: Object.fromEntries(given) };
}

function help(): string {
  const rows = flagRows.map((row) => {
    const flag = `--${row.flag}${'value' in row ? ` ${row.value}` : ''}`;
    const fallback = 'value' in row && row.default ? ` (default ${row.default})` : '';
    return `  ${flag.padEnd(24)} ${row.meaning}${fallback}\n${' '.repeat(27)}${row.variable}`;
  });
  return `Tells whether a service conforms to the User Management Service interface.

  user-management-conformance --base-url https://api.example.com/v1

The key is read from API_KEY in the environment or in .env of this folder, never from a flag.
Without a base address the run judges the embedded reference service.

${rows.join('\n')}
  ${'--help, -h'.padEnd(24)} this page
  ${'--version'.padEnd(24)} the version

${COMPARE_USAGE}
Exit codes: 0 conformant, 1 non-conformant, 2 unusable settings, 3 inconclusive, 4 a fault of the suite itself.
`;
}
