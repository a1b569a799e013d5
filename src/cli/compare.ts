import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { requirements } from '../../specs/index.ts';
import { shorten } from '../http/value.ts';
import { verdictText } from '../reports/appearance.ts';
import { type Comparison, compareReports, comparisonMarkdown } from '../reports/comparison.ts';
import { readReport } from '../reports/read-report.ts';
import { score } from '../reports/selection.ts';
import { sanitizeLine } from '../reports/text.ts';
import { refuseForeignReports, writeFiles } from '../reports/written-files.ts';
import { orThrow, SettingsError } from '../settings/errors.ts';
import { causeOf, makeFolder } from '../settings/files.ts';
import { parseFlags } from './flags.ts';

const HINT = 'compare takes the report directories of runs and --report-dir DIR.';

/**
 * Compares the reports in some directories and writes the comparison, a table in Markdown. Returns
 * the text to print. Throws a SettingsError.
 */
export function compare(args: string[]): string {
  const options = { 'report-dir': { type: 'string', default: '.' } } as const;
  const { values, positionals } = parseFlags({ args, allowPositionals: true, options }, HINT);
  if (positionals.length === 0) throw new SettingsError(HINT);
  const output = values['report-dir'];
  const reports = positionals.map((path) => readReport(path, requirements, { keepsUnknown: true }));
  const comparison = compareReports(reports);
  const name = 'comparison.md';
  refuseForeignReports(output, [name]);
  const unwritable = (reason: string) =>
    new SettingsError(
      `${output} can't be written to (${reason}): choose another directory with --report-dir.`,
    );
  orThrow(
    () => makeFolder(output),
    (error) => unwritable(causeOf(error)),
  );
  rmSync(join(output, name), { force: true });
  const [unwritten] = writeFiles(output, { [name]: comparisonMarkdown(comparison) });
  if (unwritten !== undefined) throw unwritable(unwritten);
  return [...overviewLines(comparison), '', sanitizeLine(join(output, name)), ''].join('\n');
}

/** Returns a line for each run, and one for each requirement that has not passed again. */
function overviewLines({ reports, heads, failed }: Comparison): string[] {
  const runs = reports.map((report, index) => {
    const scores = `${score(report, 'MUST')} MUST, ${score(report, 'SHOULD')} SHOULD`;
    return `${shorten(heads[index] ?? '', 80)}: ${verdictText(report)}, ${scores}`;
  });
  const failing = failed.filter(({ since }) => since !== '');
  const lines = failing.map(({ slug, since }) => `${slug} fails since ${shorten(since, 80)}`);
  return [...runs, ...lines].map(sanitizeLine);
}
