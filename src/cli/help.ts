import { flagRows } from './flags.ts';

/** What the page says besides the settings. */
const OTHERS = [
  ['--list', 'print the selected requirements; send nothing'],
  ['--verbose, --quiet', 'print every requirement; print only the verdict'],
  ['--last-failed, --open', 'check only what failed in the last run; open report.html in the browser'],
  ['--watch, --watch-path DIR', 'keep running: rerun when files (in DIR) change; keys rerun, open the report or quit'],
  ['-h, --help, -v, --version', 'show this help; print the version'],
] as const;

const COMMANDS = [
  ['init', 'set up a project: .env, .gitignore, CI workflow (--base-url, --start, --ci, --action)'],
  ['reproduce SLUG', 'retry a failure of the last run: exit code 1 if it fails again, 0 if it holds'],
  ['again FILE', 'check the run in a run.json.gz again, without the service and the key'],
  ['compare DIR… [--output DIR]', 'show the reports of several runs side by side: comparison.html, .md and .json'],
  ['merge DIR… [--output DIR]', 'combine several runs of one implementation into one verdict and report'],
] as const;

/** The page of help: it fits a screen of 48 lines of 120 characters. */
export function help(): string {
  const settings = flagRows.map(({ flag, kind, meaning, default: fallback }) => {
    const value = kind.value ? ` ${kind.value}` : '';
    return [`--${flag}${value}`, `${meaning}${value && fallback ? ` (default ${fallback})` : ''}`] as const;
  });
  const lines = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([name, meaning]) => `  ${name.padEnd(28)} ${meaning}`).join('\n');
  return `Checks whether a service conforms to the User Management Service interface.

  API_KEY=… user-management-conformance --base-url https://api.example.com/v1

API_KEY is read from the environment or .env here. Each setting is also a variable: --strict is CONFORMANCE_STRICT=1.

${lines([...settings, ...OTHERS])}

${lines(COMMANDS)}

Exit codes: 0 conformant, 1 non-conformant, 2 unusable settings, 3 inconclusive, 4 a fault of the suite itself.
`;
}
