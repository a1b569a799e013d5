import { topics as loadTopics, requirements } from '../../specs/index.ts';
import type { Conduct } from '../conduct/conduct.ts';
import { type Tries, tryAgain } from '../conduct/reproduce.ts';
import { judges, type Topic } from '../conduct/topic.ts';
import type { StartedService } from '../plan/service-end.ts';
import { screenOf } from '../reports/look.ts';
import { readReport } from '../reports/read-report.ts';
import { LEFT_OUT, type Report, type ReportedRequirement } from '../reports/report.ts';
import { finding } from '../reports/terminal.ts';
import { inertLine, some } from '../reports/text.ts';
import { readSettings, type Settings, type Target } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { onInterrupt } from '../start/signals.ts';
import { EXIT } from '../verdict/verdict.ts';
import { parseFlags } from './flags.ts';

const HINT = 'reproduce takes the slug of one requirement, --report-dir DIR and --base-url URL.';

/**
 * Tries a failure of a report again, on the target of the settings: the report decides neither where a request goes nor what is
 * sent, but for parameters that the suite itself knows. Returns the exit code. Throws a SettingsError.
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
    const address = `set BASE_URL, in that run ${report.target.baseUrl}.`;
    throw new SettingsError(inertLine(`reproduce needs the address of the service: ${address}`));
  }
  const ways = await waysOf(row, report, settings);
  const choices = `${seedOf(row, report) ?? (runOf(row, report) ?? report.users).tag}`;
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

/** One way to look for a failure. */
interface Way {
  how: Pick<Conduct, 'isWanted' | 'again' | 'exploration'>;
  /** How often; absent: until it is certain. */
  most?: { tried: number };
  /** What is printed before. */
  what?: string;
}

/** Of a merged report, the first run in which a requirement failed. */
const runOf = ({ seenIn = [0] }: ReportedRequirement, { runs }: Report) => runs?.[seenIn[0] ?? 0];

/** The seed of a thorough run. */
const seedOf = (row: ReportedRequirement, report: Report) =>
  report.runs ? runOf(row, report)?.seed : report.coverage?.seed;

/** First the requirement alone, or its drawn cases; then the whole run once more, a thorough one from its seed. */
async function waysOf(row: ReportedRequirement, report: Report, settings: Settings): Promise<Way[]> {
  const { id, reproduction } = row;
  const alone: Way = { how: { isWanted: (slug) => slug === id } };
  const seed = seedOf(row, report);
  const topics = reproduction || seed !== undefined ? await loadTopics() : [];
  if (reproduction) alone.how.again = { topic: topicOf(id, reproduction, topics), params: reproduction.cases };
  const leftOut = new Set(report.requirements.filter(({ reason }) => reason === LEFT_OUT).map((one) => one.id));
  const whole: Way = {
    how: { isWanted: (slug) => !leftOut.has(slug) },
    most: { tried: 1 },
    what: `The failure may need what the run sent before it. Repeating the whole run${seed === undefined ? '' : ` from its seed ${seed}`}.`,
  };
  if (seed === undefined) return [alone, whole];
  whole.how.exploration = { ...settings, seed, topics, until: id };
  return [alone, whole];
}

/** The topic that draws these cases for a requirement. Throws a SettingsError where this version of the suite has none. */
function topicOf(
  id: string,
  { topic, cases }: NonNullable<ReportedRequirement['reproduction']>,
  topics: readonly Topic[],
): Topic {
  const requirement = requirements.find(({ slug }) => slug === id);
  const found = topics.find(({ what }) => what === topic);
  if (found && requirement && judges(requirement, found) && cases.every((params) => found.params.has(params))) {
    return found;
  }
  throw new SettingsError(
    `The report has cases of ${id} that this version of the suite does not draw: run the suite again.`,
  );
}

/** Looks for a failure in each way until it is seen. Prints what comes of it; returns the exit code. */
async function tryAll(
  row: ReportedRequirement,
  ways: Way[],
  options: Pick<Conduct, 'settings' | 'service'> & { target: Target },
): Promise<number> {
  const interrupt = new AbortController();
  onInterrupt(
    () => interrupt.abort(),
    () => EXIT.settings,
  );
  const { baseUrl } = options.target;
  print(`target: ${inertLine(baseUrl)}\n`);
  const tries: Tries = { failed: 0, tried: 0 };
  for (const { what, how, most } of ways) {
    if (what) print(what);
    const conducted = { ...options, ...how, requirements, signal: interrupt.signal };
    const last = await tryAgain(conducted, row.id, most);
    Object.assign(tries, last, { tried: tries.tried + last.tried });
    if (last.failed > 0 || last.open !== undefined) break;
  }
  const { failed, tried, outcome, open } = tries;
  const often = tried === 1 ? '1 try' : `${tried} tries`;
  if (failed > 0 && outcome) {
    const { slug: _, lookedAt: __, ...rest } = outcome;
    const { reproduction: ___, ...info } = row;
    const target = { name: '', baseUrl, embeddedReference: false };
    const shown = { target, scope: { partial: true, readOnly: false, strict: true }, requirements: [] };
    print(`${finding({ ...info, ...rest }, shown, screenOf(process.stdout))}\n`);
    print(`${row.id} failed in ${failed} of ${often}.`);
    return EXIT['non-conformant'];
  }
  if (open !== undefined) {
    process.stderr.write(`${inertLine(`${row.id} could not be tried: ${open}`)}\n`);
    return EXIT.settings;
  }
  const how = outcome?.outcome === 'not-applicable' ? `no longer applies (${outcome.reason})` : 'holds';
  print(inertLine(`${row.id} ${how}: it failed in 0 of ${often}.`));
  return EXIT.conformant;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
