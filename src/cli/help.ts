import { COMPARE_USAGE } from './compare.ts';
import { flagRows, switches } from './flags.ts';
import { MERGE_USAGE } from './merge.ts';
import { REPORT_USAGE } from './report.ts';

/** The page of help. */
export function help(): string {
  const settings = flagRows.map((row) => {
    const { value } = row.kind;
    const fallback = value && row.default ? ` (default ${row.default})` : '';
    return [`--${row.flag}${value ? ` ${value}` : ''}`, `${row.meaning}${fallback}`] as const;
  });
  const others = Object.entries(switches).map(
    ([name, meaning]) => [name === 'help' ? '--help, -h' : `--${name}`, meaning] as const,
  );
  const lines = (rows: (readonly [string, string])[]) =>
    rows.map(([flag, meaning]) => `  ${flag.padEnd(23)}  ${meaning}`).join('\n');
  return `Tells whether a service conforms to the User Management Service interface.

  export API_KEY=…
  user-management-conformance --base-url https://api.example.com/v1

The key is read from API_KEY in the environment or in .env of this folder, never from a flag. Without a base address
the run judges the embedded reference service.

Settings, each also a variable of the environment or of .env (--strict is CONFORMANCE_STRICT=1):
${lines(settings)}

Besides:
${lines(others)}

Commands:
${REPORT_USAGE}${COMPARE_USAGE}${MERGE_USAGE}
Exit codes: 0 conformant, 1 non-conformant, 2 unusable settings, 3 inconclusive, 4 a fault of the suite itself.

  user-management-conformance --only 'list.*' --skip list.users     part of the requirements
  user-management-conformance --list --json                         all of them, for machines
  user-management-conformance --watch                               while you write a service
`;
}
