import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALLURE } from '../../src/reports/allure/config.ts';
import { makeReport, type Report } from '../../src/reports/report.ts';
import { brokenBy } from '../services/named.ts';
import { type Service, start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, reportIn, runNode } from '../shell.ts';

/** Stands for the page that Allure makes. */
const PAGE = '<!DOCTYPE html><title>Allure</title>\n';

const KEY = 'k3y-Of.the~Service_0815';
const NASTY = '<script>alert(1)</script><img src=x onerror=alert(1)>';

interface Attachment {
  name: string;
  source: string;
}

interface Result {
  name: string;
  fullName: string;
  status: string;
  start: number;
  statusDetails: { message?: string };
  descriptionHtml: string;
  labels: { name: string; value: string }[];
  steps: { name: string; attachments: Attachment[] }[];
  attachments: Attachment[];
}

/** A run in a folder on a service with findings of every kind. */
async function runIn(folder: string) {
  const service = await start((patched: Service) => {
    for (let old = 0; old < 40; old += 1) {
      patched.users.push({ id: `old-${old}`, email: `old.${old}@example.org`, name: NASTY });
    }
    patched.listed = () => patched.users.slice(0, 20);
    for (const name of [
      'no Location',
      'any type is stored',
      'a path with an identifier is taken for a public file',
      'any token is good',
    ]) {
      brokenBy(name)(patched);
    }
    const { retrieve } = patched;
    patched.retrieve = async (id, request) => {
      const reply = await retrieve(id, request);
      return reply.status === 404 ? { ...reply, headers: { 'x-nasty': NASTY }, body: NASTY } : reply;
    };
    patched.record = (user) => ({ ...user, name: /[^ -~]/.test(user.name) ? NASTY : user.name });
  });
  writeFileSync(
    join(folder, 'known.yml'),
    '- slug: authentication.retrieve-needs-key\n  reason: next release\n- slug: http.json\n  reason: stale\n',
  );
  const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey, CONFORMANCE_KNOWN_FAILURES: 'known.yml' };
  mkdirSync(join(folder, 'reports'));
  writeFileSync(join(folder, 'reports/allure.html'), 'the page of an earlier run');
  await runNode([COMMAND], env, folder);
  await service.close();
  const files = filesBelow(join(folder, 'reports/allure-results'));
  const results = files
    .filter(({ path }) => path.endsWith('-result.json'))
    .map(({ content }) => JSON.parse(content) as Result);
  return { report: reportIn(folder) as Report, files, results };
}

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

test.concurrent('Allure results say what was judged, in the order of the chapters, and every request is attached', async () => {
  await inFolder(async (folder) => {
    const { report, files, results } = await runIn(folder);
    expect(existsSync(join(folder, 'reports/allure.html'))).toBe(false);
    const inOrder = results.toSorted((a, b) => a.start - b.start);
    expect(inOrder.map(({ fullName }) => fullName)).toEqual(report.requirements.map(({ id }) => id));
    expect(new Set(results.map((one) => one.start)).size).toBe(results.length);
    expect(inOrder[0]?.start).toBe(Date.parse(report.start));

    const of = (slug: string) => results.find(({ fullName }) => fullName === slug) as Result;
    const tags = (slug: string) => of(slug).labels.flatMap(({ name, value }) => (name === 'tag' ? [value] : []));
    const failed = of('create.strings-only');
    expect(failed.name).toBe(
      "No value that is not a string ends up as a user's email or name. (MUST create.strings-only)",
    );
    expect(failed.status).toBe('failed');
    expect(failed.statusDetails.message).toMatch(
      /^MUST not met\nexpected {2}a string.*\n {10}a string.*\ngot {7}\S+ \(a number as email\)\n/,
    );
    expect(failed.statusDetails.message).toMatch(/\n\nrepeat it:\ncurl -sS /);
    expect(failed.steps.map(({ name }) => name)).toEqual(['Requests that show why', 'Other requests of the evidence']);
    expect(of('create.location').status).toBe('broken');
    expect(of('create.location').statusDetails.message).toMatch(/^SHOULD not met, a warning\n/);
    expect(of('authentication.retrieve-needs-key').status).toBe('skipped');
    expect(of('authentication.retrieve-needs-key').statusDetails.message).toMatch(
      /^MUST not met, a known failure\nlisted {4}next release\nexpected /,
    );
    expect(tags('authentication.retrieve-needs-key')).toEqual(['MUST', 'known failure']);
    expect(of('http.json').status).toBe('failed');
    expect(of('http.json').statusDetails.message).toMatch(/^MUST met: take it off the known failures/);
    expect(of('list.contains-created').statusDetails.message).toMatch(/^not applicable: the list pages/);
    expect(tags('list.contains-created')).toEqual(['MUST', 'not applicable']);
    expect(of('authentication.key-extended').descriptionHtml).toMatch(
      /^<p>Not verified; needs: authentication.wrong-key<\/p><p>Source: interface, rule 3.1<\/p>/,
    );
    expect(of('round-trip.letters-beyond-ascii').statusDetails.message).toContain('<script>');

    // Allure shows a file in the first result that names it, and in no other.
    const attachedTo = ({ steps, attachments }: Result) => [
      ...attachments,
      ...steps.flatMap((step) => step.attachments),
    ];
    const attached = results.flatMap(attachedTo);
    expect(new Set(attached.map(({ source }) => source)).size).toBe(attached.length);
    for (const { name, source } of attached) {
      const { request, response } = JSON.parse(files.find(({ path }) => path.endsWith(`/${source}`))?.content ?? '{}');
      expect(name).toMatch(new RegExp(`^#\\d+ ${request.method} /.* → ${response.status}( ·|$)`));
      if (response.body) expect(['application/json', 'text/plain']).toContain(response.body.contentType);
    }
    for (const names of results.map((result) => attachedTo(result).map(({ name }) => name))) {
      expect(new Set(names).size).toBe(names.length);
    }
    expect(attached.some(({ name }) => name.endsWith('· no Authorization'))).toBe(true);
    expect(results.filter(({ descriptionHtml }) => /<(?!\/?p>)/.test(descriptionHtml))).toEqual([]);
  });
});

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
