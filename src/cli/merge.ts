import { resolve } from 'node:path';
import { requirements } from '../../specs/index.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { removeReports, writeReports } from '../reports/files.ts';
import { annotations } from '../reports/github/annotations.ts';
import { tellGitHub } from '../reports/github/write.ts';
import { mergeReports, type NamedReport, runsOf } from '../reports/merged.ts';
import { columnsOf, painter } from '../reports/paint.ts';
import { readReport } from '../reports/read-report.ts';
import type { Report } from '../reports/report.ts';
import { makeReportDir } from '../reports/report-dir.ts';
import { closing } from '../reports/terminal.ts';
import { inertLine } from '../reports/text.ts';
import type { TracedExchange } from '../reports/traced.ts';
import { readReportDir } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { counted, EXIT } from '../verdict/verdict.ts';
import { parseFlags } from './parse-flags.ts';

const USAGE = `  user-management-conformance merge DIR… [--output DIR]
                              makes one verdict and one report of several runs against the same implementation, such as
                              thorough ones with a seed each; --output is the report directory (default reports)
`;

const HINT = 'merge takes report directories and --output DIR.';

/** Merges reports: takes report directories, writes the reports of all runs. Returns the exit code (see EXIT). Throws a SettingsError. */
export function merge(args: string[]): number {
  const options = { output: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseFlags({ args, allowPositionals: true, options }, HINT);
  if (values.help) {
    process.stdout.write(USAGE);
    return EXIT.conformant;
  }
  if (positionals.length === 0) {
    throw new SettingsError('merge needs the report directories of runs: merge DIR… [--output DIR].');
  }
  const output = values.output ? resolve(values.output) : readReportDir(process.env, process.cwd());
  refuseInput(positionals, output);
  const reports = positionals.map((from) => ({ from, report: readReport(from, requirements) }));
  refuseUnlike(reports);
  refuseTwice(reports);
  const report = mergeReports(reports);
  makeReportDir(output, 'name another directory by --output');
  const unremoved = removeReports(output, true);
  const unwritten = [...writeReports({ report, traced: shown(report) }, output), ...tellGitHub(report, output, false)];
  print(inertLine(`${report.suite.name} ${report.suite.version}`));
  print(`target: ${inertLine(report.target.name)}, ${counted(report.runs?.length ?? 0, 'run')} merged\n`);
  print(closing(report, output, painter(process.stdout), { width: columnsOf(process.stdout) }));
  for (const sentence of [...unremoved, ...unwritten]) print(`  missing  ${inertLine(sentence)}`);
  if (process.env.GITHUB_ACTIONS === 'true') for (const line of annotations(report)) print(line);
  // Whoever reads the report by a program must not find none beside a code of a verdict.
  const without = unwritten.find((sentence) => sentence.startsWith('conformance.json'));
  if (without) throw new SettingsError(`${without}: name another directory by --output.`);
  return EXIT[report.verdict];
}

/** What is written would take the place of what was read. */
function refuseInput(given: string[], output: string): void {
  const one = given.find((path) => [output, resolve(output, 'conformance.json')].includes(resolve(path)));
  if (one === undefined) return;
  throw new SettingsError(
    `${inertLine(one)} is also where the merged reports would go: name another directory by --output.`,
  );
}

/** Only what was judged by the same rules, and of the same implementation, has one verdict. */
function refuseUnlike(reports: NamedReport[]): void {
  const [first, ...others] = reports as [NamedReport, ...NamedReport[]];
  for (const [what, of, advice] of [
    ['suite version', ({ suite }: Report) => suite.version, 'make them with the same version of the suite'],
    ['requirement set', ({ suite }: Report) => suite.requirementSet, 'make them with the same version of the suite'],
    [
      'target',
      ({ target }: Report) => target.name,
      'compare puts implementations side by side; --name gives runs one name',
    ],
  ] as const) {
    const other = others.find(({ report }) => of(report) !== of(first.report));
    if (other === undefined) continue;
    const sides = [first, other].map(({ from, report }) => `${of(report)} in ${from}`).join(', ');
    throw new SettingsError(inertLine(`The ${what} is not the same: ${sides}; ${advice}.`));
  }
}

/** A run that counted twice would seem to have looked twice as deep. */
function refuseTwice(reports: NamedReport[]): void {
  const seen = new Map<string, string>();
  for (const given of reports) {
    for (const { tag } of runsOf(given)) {
      const before = tag === '' ? undefined : seen.get(tag);
      if (before !== undefined) {
        throw new SettingsError(inertLine(`${before} and ${given.from} hold the same run: name it once.`));
      }
      seen.set(tag, given.from);
    }
  }
}

/** The exchanges of a merged report: those that show why something is not passed. */
function shown({ requirements }: Report): TracedExchange[] {
  const found = new Map<number, { exchange: ShownExchange; slugs: Set<string> }>();
  for (const { id: slug, exchanges } of requirements) {
    for (const exchange of exchanges) {
      const one = found.get(exchange.id) ?? { exchange, slugs: new Set() };
      one.slugs.add(slug);
      found.set(exchange.id, one);
    }
  }
  return [...found.values()].map(({ exchange, slugs }) => ({ exchange, requirements: [...slugs] }));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
