import { expect, test } from 'vitest';
import { brokenBy } from '../services/named.ts';
import { judgeByCommand } from './judge-by-command.ts';

interface AllureResult {
  fullName: string;
  status: string;
  labels: { name: string; value: string }[];
}

test.concurrent('the reports for other tools tell the same: JUnit, Allure, the summary', async () => {
  const { files, stdout, code, report, baseUrl } = await judgeByCommand((service) => {
    brokenBy('total is a string')(service);
    brokenBy('no Location')(service);
  });
  expect(code).toBe(1);
  const junit = files.find(({ path }) => path.endsWith('junit.xml'))?.content ?? '';
  expect(junit).toContain('failures="');
  expect(junit).toMatch(
    /name="List users &gt; list.total-integer"[^>]*>\s*<failure message="MUST not met: The `total`/,
  );
  expect(junit).toMatch(/name="Create a user &gt; create.location"[^>]*>\s*<skipped\/>/);

  const results = files
    .filter(({ path }) => path.endsWith('-result.json'))
    .map(({ content }) => JSON.parse(content) as AllureResult);
  const named = (slug: string) => results.find(({ fullName }) => fullName === slug) as AllureResult;
  const label = (slug: string, name: string) => named(slug).labels.find((one) => one.name === name)?.value;
  expect(named('list.total-integer').status).toBe('failed');
  expect(named('create.location').status).toBe('broken');
  expect(named('list.contains-created').status).toBe('unknown');
  expect(named('retrieve.values').status).toBe('passed');
  expect(label('list.total-integer', 'epic')).toBe(new URL(baseUrl).host);
  expect(label('list.total-integer', 'feature')).toBe('List users');
  expect(label('list.total-integer', 'severity')).toBe('critical');
  expect(label('create.location', 'severity')).toBe('minor');

  const { log } = JSON.parse(files.find(({ path }) => path.endsWith('exchanges.har'))?.content ?? '');
  const sent: {
    startedDateTime: string;
    time: number;
    _attempts: number;
    _requirements: string[];
    request: { method: string };
  }[] = log.entries;
  expect(sent.reduce((sum, { _attempts }) => sum + _attempts, 0)).toBe(report?.requests);
  expect(sent.map(({ startedDateTime }) => startedDateTime)).toEqual(
    sent.map(({ startedDateTime }) => startedDateTime).sort(),
  );
  // A look after the service, which only the requirements on the whole run look at, is named by none.
  const unnamed = sent.filter(({ _requirements }) => _requirements.length === 0);
  expect(unnamed.length).toBeLessThan(10);
  expect(unnamed.map(({ request }) => request.method)).toEqual(unnamed.map(() => 'GET'));
  expect(Math.max(...sent.map(({ time }) => time))).toBe(report?.answerTimes.slowest[0]?.duration);
  expect(stdout).toMatch(/answers {2}\d+ ms in the median.*; the slowest: \d+ ms (GET|POST) \/v1\/users/);

  const summary = files.find(({ path }) => path.endsWith('summary.md'))?.content ?? '';
  expect(summary.split('\n')[0]).toBe(`# Conformance of \` ${new URL(baseUrl).host} \`: non-conformant`);
  const badge = JSON.parse(files.find(({ path }) => path.endsWith('badge.json'))?.content ?? '');
  expect(badge).toMatchObject({
    schemaVersion: 1,
    message: expect.stringMatching(/^non-conformant, \d\d\/\d\d MUST$/),
  });
  expect(summary).toContain('### list.total-integer (MUST)');
  expect(stdout).toContain("curl -sS -i --globoff --path-as-is -H 'accept: application/json'");
});
