import { flagRows } from './flags.ts';

/** What the page says besides the settings. */
const OTHERS = [
  ['--list, --list --json', 'print the requirements that --only and --skip leave, also as JSON, and send nothing'],
  ['--watch', 'stay, run again on Enter, and show first what has changed'],
  ['--help, --version', 'this page; the version'],
] as const;

const COMMANDS = [
  ['init', 'sets a project up: .env, lines of .gitignore and, if wanted, the workflow for a CI'],
  ['reproduce SLUG', 'tries a failure of the last run again: exit code 1 where it fails again, 0 where it holds'],
  ['compare DIR… [--output DIR]', 'puts the reports of several runs side by side: comparison.html and comparison.md'],
  ['merge DIR… [--output DIR]', 'makes one verdict and one report of several runs against the same implementation'],
] as const;

/** The page of help: it fits a screen of 40 lines of 120 characters. */
export function help(): string {
  const settings = flagRows.map(({ flag, kind, meaning, default: fallback }) => {
    const value = kind.value ? ` ${kind.value}` : '';
    return [`--${flag}${value}`, `${meaning}${value && fallback ? ` (default ${fallback})` : ''}`] as const;
  });
  const lines = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([name, meaning]) => `  ${name.padEnd(28)} ${meaning}`).join('\n');
  return `Tells whether a service conforms to the User Management Service interface.

  API_KEY=… user-management-conformance --base-url https://api.example.com/v1

The key is read from API_KEY, in the environment or in .env of this folder. Each flag is a variable there as well:
--strict is CONFORMANCE_STRICT=1.

${lines([...settings, ...OTHERS])}

${lines(COMMANDS)}

Exit codes: 0 conformant, 1 non-conformant, 2 unusable settings, 3 inconclusive, 4 a fault of the suite itself.
`;
}
