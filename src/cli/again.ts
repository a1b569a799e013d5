import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { judgeFile, otherSet } from '../api/again.ts';
import { readBaseline } from '../reports/baseline.ts';
import { removeReports } from '../reports/files.ts';
import { columnsOf, painter, wrap } from '../reports/paint.ts';
import { publish } from '../reports/publish.ts';
import { claimReportDir, makeReportDir } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { inertLine } from '../reports/text.ts';
import { readSome, refuseIdleFlags } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { settingsTable } from '../settings/table.ts';
import { listedFailures } from '../verdict/listed-failures.ts';
import { EXIT } from '../verdict/verdict.ts';
import { flagRows, readFlags } from './flags.ts';

const USAGE = `  user-management-conformance again FILE [--only SLUG…] [--skip SLUG…] [--strict] [--known-failures FILE] …
                              checks the run in a run.json.gz again, without the service and the key: with the lines,
                              reports and exit code of a run, and rules of its own
`;

/** The settings that have an effect on a run that was made. */
const TAKEN = [
  ...(['only', 'skip', 'strict', 'knownFailures', 'writeKnownFailures', 'baseline', 'failOn', 'reportDir'] as const),
];
const SWITCHES = ['verbose', 'quiet', 'help'];

const HINT = 'again takes a run.json.gz, and of the flags those that need no service: see again --help.';

/**
 * Judges a run again by the file that it has left, by whoever it was written. Sends nothing and needs no key. Returns the exit
 * code of the run. Throws a SettingsError.
 */
export async function again(args: string[]): Promise<number> {
  const [file = '', ...rest] = args;
  if (['-h', '--help'].includes(file)) {
    process.stdout.write(USAGE);
    return EXIT.conformant;
  }
  if (file === '' || file.startsWith('-')) throw new SettingsError(HINT);
  const { on, values } = readFlags(rest);
  const idle = [...on].find((name) => !SWITCHES.includes(name)) ?? idleFlag(values);
  if (idle !== undefined) throw new SettingsError(`--${idle} has no effect with again. ${HINT}`);
  const environment = { ...process.env, ...values };
  refuseIdleFlags(values, environment, process.cwd());
  const settings = readSome(TAKEN, environment, process.cwd());
  const baseline = await readBaseline(settings, requirements);
  const result = judgeFile(file, { settings, knownFailures: await listedFailures(settings), baseline });
  makeReportDir(settings.reportDir);
  claimReportDir(settings.reportDir);
  const detail = on.has('quiet') ? 'verdict' : on.has('verbose') ? 'all' : 'chapters';
  if (detail !== 'verdict') process.stdout.write(head(result));
  const unremoved = removeReports(settings.reportDir, true);
  const { text, exitCode } = await publish(result, { settings, unremoved, detail });
  process.stdout.write(text);
  return exitCode;
}

/** A flag of a setting that only a run takes. */
function idleFlag(values: Record<string, string>): string | undefined {
  const taken: string[] = TAKEN.map((name) => settingsTable[name].variable);
  return flagRows.find(({ variable }) => values[variable] !== undefined && !taken.includes(variable))?.flag;
}

/** Says what is judged, and by what. */
function head({ report: { target, start }, run }: RunResult): string {
  const paint = painter(process.stdout);
  const { version } = run?.suite ?? suite;
  const notice = run && otherSet(run);
  const lines = [
    paint('bold', `${suite.name} ${suite.version}`),
    `target: ${inertLine(target.name)}, ${inertLine(target.baseUrl)}`,
    `run: of ${start}, by version ${inertLine(version)}`,
    ...(notice ? [paint('yellow', wrap(`notice: ${notice}`, columnsOf(process.stdout), 2))] : []),
  ];
  return `${lines.join('\n')}\n`;
}
