import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import type { Report } from '../../src/reports/report.ts';
import { manyFindings, NASTY } from '../services/many-findings.ts';
import { type Patch, start } from '../services/service.ts';
import { contentOf, type Ended, filesBelow, reportIn, type WrittenFile } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** Makes a service fail requirements of every kind, and return markup for names beyond ASCII. */
const manyFindingsWithMarkup: Patch = (service) => {
  manyFindings(service);
  service.record = (user) => ({ ...user, name: /[^ -~]/.test(user.name) ? NASTY : user.name });
};

const TICKET = 'https://tickets.example.com/1';

/** An expired entry, a valid one, and one whose requirement passes. */
const KNOWN_FAILURES = [
  { slug: 'round-trip.letters-beyond-ascii', reason: 'to be fixed', expires: '2020-01-31' },
  { slug: 'authentication.retrieve-needs-key', reason: 'next release', link: TICKET },
  { slug: 'http.json', reason: 'stale' },
];

interface AllureResult {
  name: string;
  fullName: string;
  status: string;
  start: number;
  statusDetails: { message?: string };
  descriptionHtml: string;
  labels: { name: string; value: string }[];
  links: unknown[];
  attachments: { name: string; source: string }[];
}

describe('the reports of one run', () => {
  let folder = '';
  let ended: Ended;
  let report: Report;
  let host: string;
  let files: WrittenFile[];
  let results: AllureResult[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-reports-'));
    const service = await start(manyFindingsWithMarkup);
    host = new URL(service.baseUrl).host;
    const entries = KNOWN_FAILURES.map((entry) => `- ${JSON.stringify(entry)}`);
    writeFileSync(join(folder, 'known.yml'), entries.join('\n'));
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey, GITHUB_ACTIONS: 'true' };
    const args = ['--known-failures', 'known.yml'];
    ended = await runCommand(args, env, folder).finally(service.close);
    report = reportIn(folder) as Report;
    files = filesBelow(join(folder, 'reports'));
    results = files
      .filter(({ path }) => path.endsWith('-result.json'))
      .map(({ content }) => JSON.parse(content));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function resultOf(slug: string): AllureResult {
    const result = results.find(({ fullName }) => fullName === slug);
    if (result === undefined) throw new Error(`no Allure result for ${slug}`);
    return result;
  }

  const labelsOf = (slug: string, label: string) =>
    resultOf(slug)
      .labels.filter(({ name }) => name === label)
      .map(({ value }) => value);

  test('conformance.json is valid by its schema', () => {
    expect(ended.code).toBe(1);
    expect(schemaError('report', report, 'report')).toBeUndefined();
  });

  test('Allure results are in the order of the chapters', () => {
    const inOrder = results.toSorted((a, b) => a.start - b.start);
    expect(inOrder.map(({ fullName }) => fullName)).toEqual(
      report.requirements.map(({ id }) => id),
    );
    expect(new Set(results.map(({ start }) => start)).size).toBe(results.length);
    expect(inOrder[0]?.start).toBe(Date.parse(report.start));
  });

  test('Allure results show outcomes and reasons', () => {
    const failed = resultOf('create.strings-only');
    expect(failed.name).toBe(
      "A user's email and name are strings, whatever type was sent. (MUST create.strings-only)",
    );
    expect(failed.status).toBe('failed');
    expect(failed.statusDetails.message).toMatch(
      /^MUST not met: A user's email and name are strings.*\nexpected {2}a string as (email|name), or no user\n(.*\n)*repeat {4}ID=\$\(curl -sS (.*\n)*source {4}interface, rule 4.1\n/,
    );
    expect(resultOf('create.location').status).toBe('broken');
    expect(resultOf('create.location').statusDetails.message).toMatch(
      /^SHOULD not met: The Location/,
    );
    const knownFailure = resultOf('authentication.retrieve-needs-key');
    expect(knownFailure.status).toBe('skipped');
    expect(knownFailure.statusDetails.message).toMatch(/^known failure: next release \(/);
    expect(knownFailure.links).toContainEqual({ name: TICKET, url: TICKET, type: 'issue' });
    expect(labelsOf(knownFailure.fullName, 'tag')).toEqual(['MUST', 'known failure']);
    expect(resultOf('http.json').status).toBe('failed');
    expect(resultOf('http.json').statusDetails.message).toBe(
      'known.yml:3: http.json passes now: remove this entry',
    );
    expect(resultOf('list.contains-created').statusDetails.message).toMatch(
      /^not applicable: the list is paginated/,
    );
    expect(labelsOf('list.contains-created', 'tag')).toEqual(['MUST', 'not applicable']);
    expect(resultOf('authentication.key-extended').status).toBe('unknown');
    expect(resultOf('authentication.key-extended').descriptionHtml).toMatch(
      /^<p>Not verified; needs: authentication.wrong-key<\/p><p>Source: interface, rule 3.1<\/p>/,
    );
    expect(resultOf('round-trip.letters-beyond-ascii').statusDetails.message).toContain('<script>');
    expect(results.filter(({ descriptionHtml }) => /<(?!\/?p>)/.test(descriptionHtml))).toEqual([]);
    expect(resultOf('versioning.base-address').status).toBe('passed');
    expect(labelsOf('create.strings-only', 'epic')).toEqual([host]);
    expect(labelsOf('create.strings-only', 'feature')).toEqual(['Create a user']);
    expect(labelsOf('create.strings-only', 'severity')).toEqual(['critical']);
    expect(labelsOf('create.location', 'severity')).toEqual(['minor']);
  });

  test('each exchange that shows a failure is attached to one Allure result', () => {
    // Allure shows a file only in the first result that names it.
    const attached = results.flatMap(({ attachments }) => attachments);
    for (const slug of ['create.strings-only', 'create.location'])
      expect(resultOf(slug).attachments).not.toEqual([]);
    expect(resultOf('versioning.base-address').attachments).toEqual([]);
    expect(new Set(attached.map(({ source }) => source)).size).toBe(attached.length);
    const contents = new Map(files.map(({ path, content }) => [path.split('/').at(-1), content]));
    for (const { name, source } of attached) {
      const [, method, path, status] = /^#\d+ (\w+) (\/.*) → (\d+)$/.exec(name) ?? [];
      expect(method, name).toBeDefined();
      expect(contents.get(source)).toMatch(new RegExp(`^${method} ${path?.slice(0, 9)}`));
      expect(contents.get(source)).toMatch(new RegExp(`^${status} [A-Z]`, 'm'));
    }
    for (const { attachments } of results) {
      const names = attachments.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('JUnit has failures for failed MUSTs, and skips failed SHOULDs', () => {
    const junit = contentOf(files, 'junit.xml');
    const caseOf = (slug: string) => {
      const start = `<testcase classname="[^"]+" name="${slug}"`;
      const testCase = new RegExp(`${start}(>.*?</testcase>|/>)`, 's').exec(junit);
      return testCase?.[1] ?? '';
    };
    expect(caseOf('create.strings-only')).toContain('<failure message="MUST not met: A user');
    expect(caseOf('create.location')).toContain('<skipped message="SHOULD not met: ');
    expect(caseOf('http.json')).toContain(
      '<failure message="known.yml:3: http.json passes now: remove this entry"/>',
    );
    expect(caseOf('authentication.key-extended')).toContain(
      '<skipped message="not verified: needs: authentication.',
    );
    const failing = report.requirements.filter(
      ({ outcome, level }) => outcome === 'failed' && level === 'MUST',
    );
    expect(junit.match(/<failure /g)).toHaveLength(failing.length + 1);
    expect(junit).not.toContain('<error ');
  });

  test('the archive has every request in the order of time, with its requirements', () => {
    const entries: {
      startedDateTime: string;
      _attempts: number;
      _requirements: string[];
    }[] = JSON.parse(contentOf(files, 'exchanges.har')).log.entries;
    expect(entries.reduce((sum, { _attempts }) => sum + _attempts, 0)).toBe(report.requests);
    const times = entries.map(({ startedDateTime }) => startedDateTime);
    expect(times).toEqual(times.toSorted());
    const ofRequirements = entries.filter(({ _requirements }) => _requirements.length > 0);
    expect(ofRequirements.length).toBeGreaterThan(100);
  });

  test('the summary, the badge and the terminal show the same failures', () => {
    const summary = contentOf(files, 'summary.md');
    expect(summary.split('\n')[0]).toBe(`# Conformance of \` ${host} \`: non-conformant`);
    expect(summary).toContain('<details><summary>MUST create.strings-only</summary>');
    expect(JSON.parse(contentOf(files, 'badge.json'))).toMatchObject({
      schemaVersion: 1,
      message: expect.stringMatching(
        /^non-conformant, \d\d\/\d\d MUST, failed: authentication\.wrong-key, /,
      ),
    });
    const { stdout } = ended;
    expect(stdout).toContain("curl -sS -i --globoff --path-as-is -H 'accept: application/json'");
  });

  test('a known failure does not fail the run; an expired or a stale entry does', () => {
    const { stdout } = ended;
    expect(stdout).toContain('~ MUST authentication.retrieve-needs-key');
    expect(stdout).toContain('✗ MUST round-trip.letters-beyond-ascii');
    expect(stdout).toContain(
      '\nknown.yml:1: the entry for round-trip.letters-beyond-ascii ended on 2020-01-31: fix it',
    );
    expect(stdout).toContain('\nknown.yml:3: http.json passes now: remove this entry\n');
    expect(stdout).toContain('\n::error file=known.yml,line=3,title=Known failure http.json::');
  });
});
