import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import type { Report } from '../../src/reports/report.ts';
import { manyFindings, NASTY } from '../services/many-findings.ts';
import { type Patch, start } from '../services/service.ts';
import { type Ended, filesBelow, inFolder, reportIn } from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** The same, and sends markup in the place of every name beyond ASCII. */
const manyNasty: Patch = (service) => {
  manyFindings(service);
  service.record = (user) => ({ ...user, name: /[^ -~]/.test(user.name) ? NASTY : user.name });
};

const TICKET = 'https://tickets.example.com/1';

/** One that has ended, one that holds, and one that is met. */
const KNOWN = [
  { slug: 'round-trip.letters-beyond-ascii', reason: 'to be fixed', expires: '2020-01-31' },
  { slug: 'authentication.retrieve-needs-key', reason: 'next release', link: TICKET },
  { slug: 'http.json', reason: 'stale' },
];

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
  links: unknown[];
  attachments: Attachment[];
}

describe('the reports of one run', () => {
  let folder = '';
  let ended: Ended;
  let report: Report;
  let host: string;
  let files: { path: string; content: string }[];
  let results: Result[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-reports-'));
    const service = await start(manyNasty);
    host = new URL(service.baseUrl).host;
    writeFileSync(
      join(folder, 'known.yml'),
      KNOWN.map((entry) => `- ${JSON.stringify(entry)}`).join('\n'),
    );
    mkdirSync(join(folder, 'reports'));
    writeFileSync(join(folder, 'reports/junit.xml'), 'of an earlier run');
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey, GITHUB_ACTIONS: 'true' };
    const args = ['--known-failures', 'known.yml'];
    ended = await runCommand(args, env, folder).finally(service.close);
    report = reportIn(folder) as Report;
    files = filesBelow(join(folder, 'reports'));
    results = files.flatMap(({ path, content }) =>
      path.endsWith('-result.json') ? [JSON.parse(content)] : [],
    );
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const contentOf = (name: string) =>
    files.find(({ path }) => path.endsWith(`/${name}`))?.content ?? '';
  const of = (slug: string) => results.find(({ fullName }) => fullName === slug) as Result;
  const labels = (slug: string, label: string) =>
    of(slug).labels.flatMap(({ name, value }) => (name === label ? [value] : []));

  test('conformance.json fits its schema', () => {
    expect(ended.code).toBe(1);
    expect(schemaError('report', report, 'report')).toBeUndefined();
  });

  test('Allure results are in the order of the chapters', () => {
    const inOrder = results.toSorted((a, b) => a.start - b.start);
    expect(inOrder.map(({ fullName }) => fullName)).toEqual(
      report.requirements.map(({ id }) => id),
    );
    expect(new Set(results.map((one) => one.start)).size).toBe(results.length);
    expect(inOrder[0]?.start).toBe(Date.parse(report.start));
  });

  test('Allure results say what was judged', () => {
    const failed = of('create.strings-only');
    expect(failed.name).toBe(
      "A user's email and name are strings, whatever type was sent. (MUST create.strings-only)",
    );
    expect(failed.status).toBe('failed');
    expect(failed.statusDetails.message).toMatch(
      /^MUST not met: A user's email and name are strings.*\nsource: interface, rule 4.1\n.*a string as (email|name).*\nrepeat: curl -sS /,
    );
    expect(of('create.location').status).toBe('broken');
    expect(of('create.location').statusDetails.message).toMatch(/^SHOULD not met: The Location/);
    const known = of('authentication.retrieve-needs-key');
    expect(known.status).toBe('skipped');
    expect(known.statusDetails.message).toMatch(/^known failure: next release \(/);
    expect(known.links).toContainEqual({ name: TICKET, url: TICKET, type: 'issue' });
    expect(labels(known.fullName, 'tag')).toEqual(['MUST', 'known failure']);
    expect(of('http.json').status).toBe('failed');
    expect(of('http.json').statusDetails.message).toBe('http.json passes now: remove this entry');
    expect(of('list.contains-created').statusDetails.message).toMatch(
      /^not applicable: the list is paginated/,
    );
    expect(labels('list.contains-created', 'tag')).toEqual(['MUST', 'not applicable']);
    expect(of('authentication.key-extended').status).toBe('unknown');
    expect(of('authentication.key-extended').descriptionHtml).toMatch(
      /^<p>Not verified; needs: authentication.wrong-key<\/p><p>Source: interface, rule 3.1<\/p>/,
    );
    expect(of('round-trip.letters-beyond-ascii').statusDetails.message).toContain('<script>');
    expect(results.filter(({ descriptionHtml }) => /<(?!\/?p>)/.test(descriptionHtml))).toEqual([]);
    expect(of('versioning.base-address').status).toBe('passed');
    expect(labels('create.strings-only', 'epic')).toEqual([host]);
    expect(labels('create.strings-only', 'feature')).toEqual(['Create a user']);
    expect(labels('create.strings-only', 'severity')).toEqual(['critical']);
    expect(labels('create.location', 'severity')).toEqual(['minor']);
  });

  test('what shows a failure is attached to its Allure result, and to no other', () => {
    // Allure shows a file in the first result that names it, and in no other.
    const attached = results.flatMap(({ attachments }) => attachments);
    for (const slug of ['create.strings-only', 'create.location'])
      expect(of(slug).attachments).not.toEqual([]);
    expect(of('versioning.base-address').attachments).toEqual([]);
    expect(new Set(attached.map(({ source }) => source)).size).toBe(attached.length);
    const contents = new Map(files.map(({ path, content }) => [path.split('/').at(-1), content]));
    for (const { name, source } of attached) {
      const [, id, sent, status] = /^#(\d+) (\w+ \/.*) → (\d+)$/.exec(name) ?? [];
      const [method, path] = sent?.split(' ') ?? [];
      expect(id).toBeDefined();
      expect(contents.get(source)).toMatch(new RegExp(`^${method} ${path?.slice(0, 9)}`));
      expect(contents.get(source)).toMatch(new RegExp(`^${status} [A-Z]`, 'm'));
    }
    for (const names of results.map(({ attachments }) => attachments.map(({ name }) => name))) {
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('JUnit has a failure for what fails, and skips what only warns', () => {
    const junit = contentOf('junit.xml');
    const caseOf = (slug: string) => {
      const [, text = ''] =
        new RegExp(`<testcase classname="[^"]+" name="${slug}" (.*?</testcase>|[^>]*/>)`, 's').exec(
          junit,
        ) ?? [];
      return text;
    };
    expect(caseOf('create.strings-only')).toContain('<failure message="MUST not met: A user');
    expect(caseOf('create.location')).toContain('<skipped message="SHOULD not met: ');
    expect(caseOf('http.json')).toContain(
      '<failure message="http.json passes now: remove this entry"/>',
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

  test('the archive has every request, in the order of time and with its requirements', () => {
    const sent: {
      startedDateTime: string;
      _attempts: number;
      _requirements: string[];
    }[] = JSON.parse(contentOf('exchanges.har')).log.entries;
    expect(sent.reduce((sum, { _attempts }) => sum + _attempts, 0)).toBe(report.requests);
    const times = sent.map(({ startedDateTime }) => startedDateTime);
    expect(times).toEqual(times.toSorted());
    expect(sent.filter(({ _requirements }) => _requirements.length > 0).length).toBeGreaterThan(
      100,
    );
  });

  test('the summary, the badge and the terminal say the same', () => {
    const summary = contentOf('summary.md');
    expect(summary.split('\n')[0]).toBe(`# Conformance of \` ${host} \`: non-conformant`);
    expect(summary).toContain('<details><summary>MUST create.strings-only</summary>');
    expect(JSON.parse(contentOf('badge.json'))).toMatchObject({
      schemaVersion: 1,
      message: expect.stringMatching(
        /^non-conformant, \d\d\/\d\d MUST, failed: authentication\.wrong-key, /,
      ),
    });
    const { stdout } = ended;
    expect(stdout).toContain("curl -sS -i --globoff --path-as-is -H 'accept: application/json'");
  });

  test('known failures do not fail the run; what has ended or is met by now does', () => {
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

test.concurrent('a run of a part says so in every report', async () => {
  await inFolder(async (folder) => {
    const env = { BASE_URL: 'embedded-reference', CONFORMANCE_SKIP: '*.unknown-version' };
    const { code, stdout } = await runCommand(
      ['--only', 'versioning.*', 'create.location'],
      env,
      folder,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('Verdict: conformant (partial). Every MUST that was judged holds.');
    const report = reportIn(folder);
    expect(report?.target.embeddedReference).toBe(true);
    const judged = report?.requirements
      .filter(({ outcome }) => outcome !== 'not-applicable')
      .map(({ id }) => id);
    expect(judged).toEqual([
      'versioning.base-address',
      'versioning.needs-segment',
      'create.location',
    ]);
    // Of the page what it says, not how it looks.
    const shown = (text: string) => text.replaceAll(/<(style|script)>.*?<\/\1>|<[^>]*>/gs, '');
    const files = filesBelow(join(folder, 'reports'));
    const texts = [
      stdout,
      ...files.map(({ path, content }) => (path.endsWith('.html') ? shown(content) : content)),
    ];
    const spoken = texts.flatMap(
      (text) => text.match(/(?<!non-|"verdict": ")\bconformant\b.{0,10}/g) ?? [],
    );
    expect(spoken.filter((words) => !words.startsWith('conformant (partial)'))).toEqual([]);
    const junit = files.find(({ path }) => path.endsWith('junit.xml'))?.content;
    expect(junit).toContain('<testsuites name="user-management-conformance (partial)"');
  });
});
