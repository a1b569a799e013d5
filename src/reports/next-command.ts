import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Report } from './report.ts';
import { quote } from './text.ts';

/** Flags of the command and their values; a switch has none. */
export type FlagValues = Record<string, string | true>;

/** A command line for a POSIX shell that makes a run again. */
export interface NextCommand {
  /** Variables of the run, such as `BASE_URL=…`. */
  variables?: readonly string[];
  /** The words that call the suite, such as `npm run conformance --`. */
  program: string;
  /** The flags of the run. */
  flags: FlagValues;
  /** Variables that the environment must have, because no report shows their values. */
  needs: string[];
  /** Whether the run started the service, and stops it at its end. */
  stopsService?: boolean;
}

/** Returns the command line with some flags added or changed. */
export function commandLine(command: NextCommand, changes: FlagValues = {}): string {
  const { variables = [], program, flags } = command;
  const words = Object.entries({ ...flags, ...changes }).map(([flag, value]) => {
    if (value === true) return `--${flag}`;
    return `--${flag}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;
  });
  return [...variables, program, ...words].join(' ');
}

/** Returns the flag by which a further run leaves the reports of this one as they are. */
export function separateReports({ flags }: NextCommand): FlagValues {
  const reportDir = flags['report-dir'] ?? 'reports';
  return { 'report-dir': `${reportDir}/again` };
}

/** Returns the command line that prints the guide to a requirement. */
export const explainLine = (slug: string, program = programHere()): string =>
  `${program} explain ${slug}`;

/** Returns a word of a shell command, with quotes if it needs them. */
export const shellWord = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : quote(text));

const INSTALLED = 'node_modules/.bin/user-management-conformance';

/** Returns the words that call the suite here; `elsewhere` if it is not installed or cloned. */
export function programHere(elsewhere = INSTALLED): string {
  const exists = (path: string) => existsSync(join(process.cwd(), path));
  if (exists(INSTALLED)) return INSTALLED;
  return exists('bin/user-management-conformance.mjs') ? 'npm run conformance --' : elsewhere;
}

/** Returns a command that repeats a run of the API or of Vitest. */
export function commandFor(
  { target, scope }: Pick<Report, 'target' | 'scope'>,
  reportDir?: string,
): NextCommand {
  const directory = reportDir === undefined ? '' : relative(process.cwd(), reportDir) || '.';
  return {
    program: programHere(),
    flags: {
      'base-url': target.embeddedReference ? 'embedded-reference' : target.baseUrl,
      ...(scope.strict && { strict: true }),
      ...(directory !== '' && directory !== 'reports' && { 'report-dir': directory }),
    },
    needs: ['API_KEY'],
  };
}
