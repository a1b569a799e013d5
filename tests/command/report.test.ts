import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALLURE } from '../../src/reports/allure/config.ts';
import { makeReport, type Report } from '../../src/reports/report.ts';
import { COMMAND, inFolder, runNode } from '../shell.ts';

/** Stands for the page that Allure makes. */
const PAGE = '<!DOCTYPE html><title>Allure</title>\n';

const KEY = 'k3y-Of.the~Service_0815';

/** The files of a run, without one. */
function writeRun(reportDir: string): Report {
  const report = makeReport({
    suite: { name: 'suite', version: '1.0.0', requirementSet: '1.0.0' },
    target: { name: 'A', baseUrl: 'http://127.0.0.1:3000/v1', embeddedReference: false },
    settings: { strict: false, readOnly: true },
    knownFailures: [],
    start: new Date(),
    duration: 1234,
    answerTimes: { slowest: [] },
    results: [],
  });
  mkdirSync(join(reportDir, 'allure-results'), { recursive: true });
  writeFileSync(join(reportDir, 'conformance.json'), JSON.stringify(report));
  return report;
}

/** A program called npm that notes how it was started and, unless told to do otherwise, makes a page as Allure does. */
function fakeNpm(folder: string, instead = ''): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const page = `const { readFileSync, writeFileSync } = require('node:fs');
    const config = JSON.parse(readFileSync(process.argv.at(-1), 'utf8'));
    const seen = { args: process.argv.slice(2), env: process.env, config };
    writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify(seen));
    writeFileSync(config.output + '/index.html', ${JSON.stringify(PAGE)});`;
  writeFileSync(join(bin, 'npm'), `#!${process.execPath}\n${instead || page}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return bin;
}

test.concurrent('report has Allure make its page of the last run, leaves it as it is, and keeps the key to itself', async () => {
  await inFolder(async (folder) => {
    const report = writeRun(join(folder, 'reports'));
    const PATH = `${fakeNpm(folder)}:${process.env.PATH}`;
    const env = { PATH, BASE_URL: 'no address', API_KEY: KEY };
    const { code, stdout, stderr } = await runNode([COMMAND, 'report'], env, folder);
    expect(stderr).toBe('');
    expect(stdout).toBe(`reports/allure.html: inconclusive (read-only), the run of ${report.start}\n`);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'reports/allure.html'), 'utf8')).toBe(PAGE);
    const seen = readFileSync(join(folder, 'seen.json'), 'utf8');
    expect(seen).not.toContain(KEY);
    const { args, config } = JSON.parse(seen);
    expect(args).toContain(ALLURE);
    expect(ALLURE).toMatch(/^allure@\d+\.\d+\.\d+$/);
    expect(config.name).toBe('User Management Service conformance: inconclusive (read-only)');
    expect(config.variables.Verdict).toBe(`inconclusive (read-only): ${report.because}`);
    expect(config.variables.Target).toBe(report.target.baseUrl);
    expect(existsSync(config.output)).toBe(false);
  });
});

test.concurrent('what keeps report from making a page is said in one sentence', async () => {
  await inFolder(async (folder) => {
    const isSaid = async (args: string[], env: Record<string, string>, code: number, sentence: string) => {
      const ended = await runNode([COMMAND, 'report', ...args], env, folder);
      expect(ended.stderr).toContain(sentence);
      expect(ended.stderr.trim().split('\n')).toHaveLength(1);
      expect(ended.stdout).toBe('');
      expect(ended.code).toBe(code);
    };
    await isSaid([], {}, 2, "reports can't be read (ENOENT): make a run first");
    await isSaid(['--report-dir', 'elsewhere'], {}, 2, "elsewhere can't be read (ENOENT): make a run first");
    await isSaid(['--strict'], {}, 2, 'The only flag of report is --report-dir.');
    writeRun(join(folder, 'here'));
    writeFileSync(join(folder, '.env'), 'CONFORMANCE_REPORT_DIR=here\n');
    await isSaid([], { PATH: folder }, 4, 'npm, which fetches and starts allure');
    const unreachable = `console.error('npm error code ENOTFOUND\\nnpm error request to … failed'); process.exit(1);`;
    await isSaid([], { PATH: fakeNpm(folder, unreachable) }, 4, `npm could not fetch ${ALLURE} (ENOTFOUND)`);
    rmSync(join(folder, 'bin'), { recursive: true });
    const broken = `console.error('some\\u001b[31m lines\\nand a last one'); process.exit(1);`;
    await isSaid([], { PATH: fakeNpm(folder, broken) }, 4, `${ALLURE} failed: and a last one`);
    expect(existsSync(join(folder, 'here/allure.html'))).toBe(false);
    writeFileSync(join(folder, 'here/conformance.json'), '{}');
    await isSaid([], {}, 2, 'here/conformance.json is no report of this version');
  });
});
