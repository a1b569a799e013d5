import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { requirements } from '../../specs/index.ts';
import { ALLURE, allureConfig } from '../reports/allure/config.ts';
import { readReport } from '../reports/read-report.ts';
import { replaceFile } from '../reports/replace-file.ts';
import type { Report } from '../reports/report.ts';
import { inertLine } from '../reports/text.ts';
import { readReportDir } from '../settings/settings.ts';
import { EXIT } from '../verdict/verdict.ts';
import { parseFlags } from './parse-flags.ts';

const USAGE = `  user-management-conformance report [--report-dir DIR]
                           makes Allure's page of the last run, allure.html, by ${ALLURE}
`;

/**
 * Has Allure make its page of the last run, and puts it into the report directory. Needs no target and no key. Throws a SettingsError where there
 * is no run. Returns the exit code (see EXIT).
 */
export async function makePage(args: string[]): Promise<number> {
  const flags = readFlags(args);
  if (flags.help) {
    process.stdout.write(USAGE);
    return EXIT.conformant;
  }
  const reportDir = flags['report-dir'] ? resolve(flags['report-dir']) : readReportDir(process.env, process.cwd());
  const results = join(reportDir, 'allure-results');
  const report = readReport(relative(process.cwd(), reportDir) || '.', requirements);
  const folder = mkdtempSync(join(tmpdir(), 'conformance-report-'));
  try {
    const page = join(reportDir, 'allure.html');
    replaceFile(page, await runAllure(report, results, folder));
    const said = `${relative(process.cwd(), page)}: ${report.title}, the run of ${report.start}`;
    process.stdout.write(`${inertLine(said)}\n`);
    return EXIT.conformant;
  } catch (error) {
    process.stderr.write(`No page was made: ${inertLine((error as Error).message)}\n`);
    return EXIT.fault;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readFlags(args: string[]) {
  const options = { 'report-dir': { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  return parseFlags({ args, options }, 'The only flag of report is --report-dir.').values;
}

/** The page as Allure makes it, in a folder for its files. Throws an error of one sentence. */
async function runAllure(report: Report, results: string, folder: string): Promise<string> {
  const config = join(folder, 'allurerc.json');
  writeFileSync(config, JSON.stringify(allureConfig(report, results, folder)));
  const [program, ...first] = npm();
  const args = [...first, 'exec', ...NPM_FLAGS, '--', ALLURE, 'generate', '--config', config];
  const { API_KEY: _, CONFORMANCE_HEADERS: __, ...env } = process.env;
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupt.abort());
  await promisify(execFile)(program, args, { env, signal: interrupt.signal }).catch((error) => {
    throw new Error(why(error));
  });
  return readFileSync(join(folder, 'index.html'), 'utf8');
}

/** A version that never changes is asked for: the network is needed once, and its absence is said soon. */
const NPM_FLAGS = ['--yes', '--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

/** npm without a shell between: on Windows the program `npm` is a batch file, so Node runs npm's own script there. */
function npm(): [string, ...string[]] {
  if (process.platform !== 'win32') return ['npm'];
  return [process.execPath, join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js')];
}

function why({ name, code, message, stderr = '' }: NodeJS.ErrnoException & { stderr?: string }): string {
  if (name === 'AbortError') return 'it was interrupted.';
  if (code === 'ENOENT') return `npm, which fetches and starts ${ALLURE}, is not found on the PATH.`;
  const [, npmCode] = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr) ?? [];
  if (npmCode !== undefined) {
    return `npm could not fetch ${ALLURE} (${npmCode}); the first time it needs the npm registry, later its cache will do.`;
  }
  return `${ALLURE} failed: ${stderr.trim().split('\n').at(-1) || message}`;
}
