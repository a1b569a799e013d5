import { topics as loadTopics, requirements } from '../../specs/index.ts';
import type { Conduct } from '../conduct/conduct.ts';
import type { Reproduction } from '../conduct/drawn.ts';
import { tryAgain } from '../conduct/reproduce.ts';
import { judges, type Topic } from '../conduct/topic.ts';
import type { StartedService } from '../plan/service-end.ts';
import { screenOf } from '../reports/look.ts';
import { readReport } from '../reports/read-report.ts';
import { LEFT_OUT, type Report, type ReportedRequirement, reported } from '../reports/report.ts';
import { finding } from '../reports/terminal.ts';
import { inertLine, some } from '../reports/text.ts';
import { SettingsError } from '../settings/errors.ts';
import { readSettings, type Settings, type Target } from '../settings/settings.ts';
import { onInterrupt } from '../start/signals.ts';
import { EXIT } from '../verdict/verdict.ts';
import { parseFlags } from './flags.ts';

const HINT = 'reproduce takes the slug of one requirement, --report-dir DIR and --base-url URL.';

/**
 * Tries a failure of a report again, on the target of the settings: the report decides neither where a request goes nor
 * what is sent, but for parameters that the suite itself knows. Returns the exit code. Throws a SettingsError.
 */
export async function reproduce(args: string[]): Promise<number> {
  const options = { 'report-dir': { type: 'string' }, 'base-url': { type: 'string' } } as const;
  const { values, positionals } = parseFlags({ args, allowPositionals: true, options }, HINT);
  const [slug, ...others] = positionals;
  if (slug === undefined || others.length > 0) throw new SettingsError(HINT);
  const { 'base-url': baseUrl, 'report-dir': reportDir } = values;
  const environment = { ...process.env };
  if (baseUrl !== undefined) environment.BASE_URL = baseUrl;
  if (reportDir !== undefined) environment.CONFORMANCE_REPORT_DIR = reportDir;
  const settings = readSettings(environment, process.cwd());
  const report = readReport(settings.reportDir, requirements);
  const row = failureIn(report, slug);
  const { target } = settings;
  if (target === undefined) {
    const address = `set BASE_URL, in that run ${report.target.baseUrl}`;
    throw new SettingsError(`reproduce needs the address of the service: ${address}.`);
  }
  // Of a merged report, the first run in which the requirement failed.
  const run = report.runs?.[row.seenIn?.[0] ?? 0];
  const seed = (run ?? report.coverage)?.seed;
  const choices = `${seed ?? (run ?? report.users).tag}`;
  const ways = await waysOf(row, report, settings, seed);
  const judge = (service?: StartedService) =>
    tryAll(row, ways, { target, settings: { ...settings, choices }, ...(service && { service }) });
  if (!settings.start) return judge();
  return (await import('../start/with-service.ts')).withService(settings, process.env, judge);
}

/** The failure of a report. Throws a SettingsError where there is none. */
function failureIn(report: Report, slug: string): ReportedRequirement {
  const failed = report.requirements.filter(({ outcome }) => outcome === 'failed' || outcome === 'known-failure');
  const row = failed.find(({ id }) => id === slug);
  if (row) return row;
  const names =
    failed.length === 0 ? 'nothing failed there' : `what failed there is ${some(failed.map(({ id }) => id))}`;
  throw new SettingsError(inertLine(`The report has no failure of "${slug.slice(0, 80)}": ${names}.`));
}

/**
 * The two ways to look for a failure: the requirement alone, or its drawn cases; and the whole run, a thorough one from
 * its seed.
 */
async function waysOf({ id, reproduction }: ReportedRequirement, report: Report, settings: Settings, seed?: number) {
  const topics = reproduction || seed !== undefined ? await loadTopics() : [];
  const leftOut = new Set(report.requirements.filter(({ reason }) => reason === LEFT_OUT).map((one) => one.id));
  return {
    alone: {
      isWanted: (slug: string) => slug === id,
      ...(reproduction && { again: { topic: topicOf(id, reproduction, topics), params: reproduction.cases } }),
    },
    whole: {
      isWanted: (slug: string) => !leftOut.has(slug),
      ...(seed !== undefined && { exploration: { ...settings, seed, topics, until: id } }),
    },
    how: seed === undefined ? '' : ` from its seed ${seed}`,
  };
}

/**
 * The topic that draws these cases for a requirement. Throws a SettingsError where this version of the suite has none.
 */
function topicOf(id: string, { topic, cases }: Reproduction, topics: readonly Topic[]): Topic {
  const requirement = requirements.find(({ slug }) => slug === id);
  const found = topics.find(({ what, params }) => what === topic && cases.every((one) => params.has(one)));
  if (requirement && found && judges(requirement, found)) return found;
  throw new SettingsError(
    `The report has cases of ${id} that this version of the suite does not draw: run the suite again.`,
  );
}

/** Looks for a failure in each way until it is seen. Prints what comes of it; returns the exit code. */
async function tryAll(
  row: ReportedRequirement,
  { alone, whole, how }: Awaited<ReturnType<typeof waysOf>>,
  options: Pick<Conduct, 'settings' | 'service'> & { target: Target },
): Promise<number> {
  const interrupt = new AbortController();
  onInterrupt(() => interrupt.abort(), { exitCode: EXIT.settings });
  const { baseUrl } = options.target;
  print(`target: ${inertLine(baseUrl)}\n`);
  const conducted = { ...options, requirements, signal: interrupt.signal };
  const tries = await tryAgain({ ...conducted, ...alone }, row.id);
  if (tries.failed === 0 && tries.open === undefined) {
    print(`The failure may need what the run sent before it. Repeating the whole run${how}.`);
    const last = await tryAgain({ ...conducted, ...whole }, row.id, { tried: 1 });
    Object.assign(tries, last, { tried: tries.tried + last.tried });
  }
  const { failed, tried, outcome, open } = tries;
  const often = tried === 1 ? '1 try' : `${tried} tries`;
  if (failed > 0 && outcome) {
    const target = { name: '', baseUrl, embeddedReference: false };
    const shown = { target, scope: { partial: true, readOnly: false, strict: true }, requirements: [] };
    print(`${finding(reported({ ...row, slug: row.id }, outcome), shown, screenOf(process.stdout))}\n`);
    print(`${row.id} failed in ${failed} of ${often}.`);
    return EXIT['non-conformant'];
  }
  if (open !== undefined) {
    process.stderr.write(`${inertLine(`${row.id} could not be tried: ${open}`)}\n`);
    return EXIT.settings;
  }
  const state = outcome?.outcome === 'not-applicable' ? `no longer applies (${outcome.reason})` : 'holds';
  print(inertLine(`${row.id} ${state}: it failed in 0 of ${often}.`));
  return EXIT.conformant;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
