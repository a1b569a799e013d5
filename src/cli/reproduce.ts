import { resolve } from 'node:path';
import { topics as loadTopics, requirements } from '../../specs/index.ts';
import type { Conduct } from '../conduct/conduct.ts';
import { type Tries, tryAgain } from '../conduct/reproduce.ts';
import { explorationOf } from '../conduct/thorough.ts';
import { judges } from '../conduct/topic.ts';
import type { StartedService } from '../plan/service.ts';
import { finding } from '../reports/finding-text.ts';
import { columnsOf, painter } from '../reports/paint.ts';
import { readReport } from '../reports/read-report.ts';
import { LEFT_OUT, type Report, type ReportedRequirement } from '../reports/report.ts';
import { inertLine, some } from '../reports/text.ts';
import { readReportDir, readSettings, type Settings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { onInterrupt } from '../start/signals.ts';
import { EXIT } from '../verdict/verdict.ts';
import { parseFlags } from './parse-flags.ts';

const USAGE = `  user-management-conformance reproduce SLUG [--report-dir DIR] [--base-url URL]
                              tries a failure of the last run again: exit code 1 where the requirement fails again,
                              0 where it holds, 2 where that could not be judged
`;

const HINT = 'reproduce takes the slug of one requirement, --report-dir DIR and --base-url URL.';

/** The exit codes of a failure that is tried again. */
const CODES = { holds: 0, fails: 1, open: EXIT.settings } as const;

/**
 * Tries a failure of a report again, on the target of the settings: the report decides neither where a request goes nor what is
 * sent, but for parameters that the suite itself knows. Returns the exit code. Throws a SettingsError.
 */
export async function reproduce(args: string[]): Promise<number> {
  const options = {
    'report-dir': { type: 'string' },
    'base-url': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values, positionals } = parseFlags({ args, allowPositionals: true, options }, HINT);
  if (values.help) {
    process.stdout.write(USAGE);
    return CODES.holds;
  }
  const [slug, ...others] = positionals;
  if (slug === undefined || others.length > 0) throw new SettingsError(HINT);
  const environment = {
    ...process.env,
    ...(values['base-url'] !== undefined && { BASE_URL: values['base-url'] }),
    ...(values['report-dir'] !== undefined && { CONFORMANCE_REPORT_DIR: values['report-dir'] }),
  };
  const report = readReport(resolve(readReportDir(environment, process.cwd())), requirements);
  const row = failureIn(report, slug);
  const settings = readSettings(environment, process.cwd());
  const { target } = settings;
  if (target === undefined) {
    const { baseUrl } = report.target;
    throw new SettingsError(
      inertLine(`reproduce needs the address of the service: set BASE_URL, in that run ${baseUrl}.`),
    );
  }
  const ways = await waysOf(row, report, settings);
  const judge = (service?: StartedService) => tryAll(row, ways, { target, settings, ...(service && { service }) });
  if (!settings.start) return judge();
  return (await import('../start/with-service.ts')).withService(settings, process.env, judge);
}

/** The failure of a report. Throws a SettingsError where there is none. */
function failureIn({ requirements: rows }: Report, slug: string): ReportedRequirement {
  const failed = rows.filter(({ outcome }) => outcome === 'failed' || outcome === 'known-failure');
  const row = failed.find(({ id }) => id === slug);
  if (row) return row;
  const names =
    failed.length === 0 ? 'nothing failed there' : `what failed there is ${some(failed.map(({ id }) => id))}`;
  throw new SettingsError(inertLine(`The report has no failure of "${slug.slice(0, 80)}": ${names}.`));
}

/** A way in which a failure is looked for, and how often at most. */
interface Way {
  what?: string;
  how: Pick<Conduct, 'isWanted' | 'again' | 'exploration'>;
  most?: number;
}

/** The ways to look for a failure: by the requirement alone, or its drawn cases; then by the whole run, a thorough one from its seed. */
async function waysOf(row: ReportedRequirement, report: Report, settings: Settings): Promise<Way[]> {
  const { id, reproduction, seenIn = [0] } = row;
  const isWanted = (slug: string) => slug === id;
  const alone: Way = { how: { isWanted } };
  const seed = report.runs ? report.runs[seenIn[0] ?? 0]?.seed : report.coverage?.seeds[0];
  const topics = reproduction || seed !== undefined ? await loadTopics() : [];
  if (reproduction) {
    const requirement = requirements.find(({ slug }) => slug === id);
    const topic = topics.find(
      (one) =>
        one.what === reproduction.topic &&
        requirement &&
        judges(requirement, one) &&
        reproduction.cases.every((params) => one.params.has(params)),
    );
    if (!topic) {
      throw new SettingsError(
        `The report has cases of ${id} that this version of the suite does not draw: make it again.`,
      );
    }
    alone.how.again = { topic, params: reproduction.cases };
  }
  const wanted = new Set(report.requirements.flatMap((one) => (one.reason === LEFT_OUT ? [] : [one.id])));
  if (seed === undefined) {
    const what = 'It may need all that the run had sent before: the whole run once more.';
    return [alone, { what, how: { isWanted: (slug) => wanted.has(slug) }, most: 1 }];
  }
  const { exploration } = await explorationOf({ ...settings, thorough: true, seed }, async () => topics);
  const whole: Way = {
    what: `It may need all that the run had sent before: the run once more, from its seed ${seed}.`,
    how: { isWanted: (slug) => wanted.has(slug), ...(exploration && { exploration: { ...exploration, until: id } }) },
    most: 1,
  };
  return [alone, whole];
}

const triesText = (tried: number) => `${tried} ${tried === 1 ? 'try' : 'tries'}`;

/** Looks for a failure in each way until it is seen. Prints what comes of it; returns the exit code. */
async function tryAll(
  row: ReportedRequirement,
  ways: Way[],
  options: Pick<Conduct, 'settings' | 'service'> & { target: Conduct['target'] },
): Promise<number> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const interrupt = new AbortController();
  onInterrupt(
    () => interrupt.abort(),
    () => CODES.open,
  );
  print(`target: ${inertLine(options.target.baseUrl)}\n`);
  let [tried, last]: [number, Tries | undefined] = [0, undefined];
  for (const { what, how, most } of ways) {
    if (what) print(what);
    last = await tryAgain({ ...options, ...how, requirements, signal: interrupt.signal }, row.id, {
      ...(most !== undefined && { tried: most }),
    });
    tried += last.tried;
    if (last.failed > 0 || last.open !== undefined) break;
  }
  const { failed = 0, outcome, open } = last ?? {};
  if (failed > 0 && outcome) {
    const { slug: _, lookedAt: __, ...rest } = outcome;
    const { reproduction: ___, ...info } = row;
    const { baseUrl } = options.target;
    const shown = {
      target: { name: '', baseUrl, embeddedReference: false },
      scope: { partial: true, readOnly: false, strict: true },
    };
    const screen = { paint: painter(process.stdout), width: columnsOf(process.stdout) };
    print(`${finding({ ...info, ...rest }, shown, screen)}\n`);
    print(`${row.id} failed in ${failed} of ${triesText(tried)}.`);
    return CODES.fails;
  }
  if (open !== undefined) {
    process.stderr.write(`${inertLine(`${row.id} could not be tried: ${open}`)}\n`);
    return CODES.open;
  }
  const how = outcome?.outcome === 'not-applicable' ? `does not apply any more (${outcome.reason})` : 'holds';
  print(inertLine(`${row.id} ${how}: it failed in 0 of ${triesText(tried)}.`));
  return CODES.holds;
}
