import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { schemaError } from '../schemas/validate.ts';
import { COMMAND, filesBelow, inFolder, reportIn, runNode, VITEST } from './command.ts';
import { brokenServices } from './services/broken/index.ts';
import { type Patch, start } from './services/service.ts';

/** Judges a patched service by the command, in an empty folder. */
async function judgeByCommand(patch: Patch, env: Record<string, string> = {}, args: string[] = []) {
  const service = await start(patch);
  const { baseUrl: BASE_URL, apiKey: API_KEY } = service;
  try {
    return await inFolder(async (folder) => {
      const ended = await runNode([COMMAND, ...args], { BASE_URL, API_KEY, ...env }, folder);
      const report = reportIn(folder);
      const files = filesBelow(folder);
      return { ...ended, report, files, apiKey: API_KEY, baseUrl: BASE_URL };
    });
  } finally {
    await service.close();
  }
}

interface AllureResult {
  fullName: string;
  status: string;
  labels: { name: string; value: string }[];
}

/** Every text of a JSON document, as a reader of it sees it. */
function textsIn(json: string): string[] {
  const texts: string[] = [];
  JSON.parse(json, (_, value) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
}

const brokenBy = (name: string): Patch => {
  const found = brokenServices.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no broken service "${name}"`);
  return found.patch;
};

describe.concurrent('exit codes', () => {
  test('0: the embedded reference service conforms, and the run says what it judged', async () => {
    await inFolder(async (folder) => {
      const { code, stdout } = await runNode([COMMAND], {}, folder);
      expect(stdout).toMatch(/target: http:\/\/127\.0\.0\.1:\d+\/v1 \(the embedded reference service/);
      expect(stdout).toContain('Verdict: conformant');
      expect(code).toBe(0);
      const report = reportIn(folder);
      expect(report?.requirements.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
      expect(report?.target.name).toBe('embedded reference');
      expect(schemaError('report.schema.json', report, 'report')).toBeUndefined();
      const written = readdirSync(join(folder, 'reports'));
      expect(written).toEqual(
        expect.arrayContaining([
          'allure-results',
          'badge.json',
          'conformance.json',
          'exchanges.har',
          'junit.xml',
          'summary.md',
        ]),
      );
    });
  });

  test('1: a service that forgets the key on one route', async () => {
    const patch = brokenBy('the guard matches the path exactly');
    const { code, stdout, report } = await judgeByCommand(patch, {}, ['--strict', '--only', 'authentication.*']);
    expect(code).toBe(1);
    expect(report?.scope.strict).toBe(true);
    expect(stdout).toContain('✗ MUST authentication.retrieve-needs-key');
    expect(stdout).toContain('Verdict: non-conformant');
    const failed = report?.requirements.filter(({ outcome }) => outcome === 'failed') ?? [];
    expect(failed.map(({ id }) => id)).toEqual(['authentication.retrieve-needs-key']);
    expect(failed[0]?.exchanges.length).toBeGreaterThan(0);
    expect(schemaError('report.schema.json', report, 'report')).toBeUndefined();
  });

  test.each([
    [{ BASE_URL: 'http://127.0.0.1:9/v1' }, [], 'API_KEY is missing'],
    [{}, ['--timeout', 'soon'], 'CONFORMANCE_TIMEOUT_MS is "soon"'],
    [{}, ['--report-dir', '/dev/null/reports'], "Reports can't be written to /dev/null/reports (ENOTDIR)"],
    [{}, ['--api-key', 'secret-key'], 'the key has none, it is read from API_KEY'],
  ])('2: unusable settings end in one sentence (%o %o)', async (env, args, sentence) => {
    await inFolder(async (folder) => {
      const { code, stdout, stderr } = await runNode([COMMAND, ...args], env as Record<string, string>, folder);
      expect(stderr).toContain(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stdout).toBe('');
      expect(code).toBe(2);
    });
  });

  test('3: a target that does not answer, with reports', async () => {
    const service = await start();
    await service.close();
    await inFolder(async (folder) => {
      const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
      const { code, stdout } = await runNode([COMMAND], env, folder);
      expect(code).toBe(3);
      expect(stdout).toContain('connection refused');
      expect(stdout).toContain('Verdict: inconclusive');
      expect(reportIn(folder)?.requests).toBe(1);
    });
  });
});

test.concurrent('flags win over the environment, which wins over .env; a failed SHOULD does not close the gate', async () => {
  const service = await start(brokenBy('no Location'));
  await inFolder(async (folder) => {
    writeFileSync(
      join(folder, '.env'),
      `BASE_URL=${service.baseUrl}\nAPI_KEY=${service.apiKey}\nCONFORMANCE_STRICT=1\n`,
    );
    const env = { CONFORMANCE_STRICT: '0', CONFORMANCE_ONLY: 'create.location create.status-201' };
    const { code, stdout } = await runNode([COMMAND, '--report-dir', 'elsewhere', '--name', 'Mine'], env, folder);
    expect(code).toBe(0);
    expect(stdout).toContain('! SHOULD create.location');
    expect(stdout).toContain('name: Mine\n');
    const report = JSON.parse(readFileSync(join(folder, 'elsewhere/conformance.json'), 'utf8'));
    expect(report.target).toEqual({ name: 'Mine', baseUrl: service.baseUrl, embeddedReference: false });
    expect(report.scope.strict).toBe(false);
  }).finally(service.close);
});

test.concurrent('a plain `vitest run` at the top makes the same run', async () => {
  await inFolder(async (folder) => {
    const top = join(COMMAND, '../..');
    const env = { CONFORMANCE_REPORT_DIR: join(folder, 'reports') };
    const { code, stdout } = await runNode([VITEST, 'run'], env, top);
    expect(code).toBe(0);
    expect(stdout).toContain('Verdict: conformant');
    expect(reportIn(folder)?.counts.MUST.passed).toBeGreaterThan(40);
  });
});

test.concurrent('the failures of one run, written and listed, do not close the gate of the next; other entries do', async () => {
  const service = await start(brokenBy('total is a string'), brokenBy('no Location'));
  const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
  await inFolder(async (folder) => {
    const first = await runNode([COMMAND, '--write-known-failures', 'mine/known.yml'], env, folder);
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('mine/known.yml written: 2 known failures, 2 of them with a generated reason');

    const second = await runNode([COMMAND, '--strict', '--known-failures', 'mine/known.yml'], env, folder);
    expect(second.stdout).toContain('~ MUST   list.total-integer');
    expect(second.stdout).toContain('~ SHOULD create.location');
    expect(second.code).toBe(0);

    const entries = [
      { slug: 'list.total-integer', reason: 'to be mended', expires: '2020-01-31' },
      { slug: 'create.location', reason: 'to be mended', link: 'https://tickets.example.com/1' },
      { slug: 'retrieve.values', reason: 'was broken' },
    ];
    writeFileSync(join(folder, 'known.yml'), entries.map((entry) => `- ${JSON.stringify(entry)}`).join('\n'));
    const args = ['--known-failures', 'known.yml', '--write-known-failures', 'known.json'];
    const third = await runNode([COMMAND, ...args], { ...env, GITHUB_ACTIONS: 'true' }, folder);
    expect(third.code).toBe(1);
    expect(third.stdout).toContain('✗ MUST   list.total-integer');
    expect(third.stdout).toContain('\nknown.yml:1: the entry for list.total-integer ended on 2020-01-31: mend it');
    expect(third.stdout).toContain('\nknown.yml:3: retrieve.values passes now: remove this entry\n');
    expect(third.stdout).toContain('\n::error file=known.yml,line=3,title=Known failure retrieve.values::');
    expect(JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8'))).toEqual(entries.slice(0, 2));
    const allure = filesBelow(folder).filter(({ path }) => path.endsWith('-result.json'));
    const links = allure.flatMap(({ content }) => JSON.parse(content).links);
    expect(links).toContainEqual({ name: entries[1]?.link, url: entries[1]?.link, type: 'issue' });
    expect(schemaError('report.schema.json', reportIn(folder), 'report')).toBeUndefined();
  }).finally(service.close);
});

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
  const sent: { startedDateTime: string; time: number; _attempts: number; _requirements: string[] }[] = log.entries;
  expect(sent.reduce((sum, { _attempts }) => sum + _attempts, 0)).toBe(report?.requests);
  expect(sent.map(({ startedDateTime }) => startedDateTime)).toEqual(
    sent.map(({ startedDateTime }) => startedDateTime).sort(),
  );
  expect(sent.every(({ _requirements }) => _requirements.length > 0)).toBe(true);
  expect(Math.max(...sent.map(({ time }) => time))).toBe(report?.answerTimes.slowest[0]?.duration);
  expect(stdout).toMatch(/answers {2}\d+ ms in the median; the slowest: \d+ ms (GET|POST) \/v1\/users/);

  const summary = files.find(({ path }) => path.endsWith('summary.md'))?.content ?? '';
  expect(summary.split('\n')[0]).toBe(`# Conformance of \` ${new URL(baseUrl).host} \`: non-conformant`);
  const badge = JSON.parse(files.find(({ path }) => path.endsWith('badge.json'))?.content ?? '');
  expect(badge).toMatchObject({ schemaVersion: 1, message: expect.stringMatching(/^non-conformant, \d\d\/48 MUST$/) });
  expect(summary).toContain('### list.total-integer (MUST)');
  expect(stdout).toContain("curl -sS -i --globoff --path-as-is -H 'accept: application/json'");
});

test.concurrent('the reference service is served alone, on a given port with a given key', async () => {
  const child = spawn(process.execPath, [join(COMMAND, '../reference.mjs')], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', API_KEY: 'some-reference-key' },
  });
  const line = await new Promise<string>((said) => child.stdout.once('data', (data) => said(String(data))));
  const baseUrl = line.match(/http:\/\/127\.0\.0\.1:\d+\/v1/)?.[0] as string;
  const answer = await fetch(`${baseUrl}/users`, { headers: { authorization: 'Bearer some-reference-key' } });
  expect(await answer.json()).toEqual({ data: [], total: 0 });
  expect((await fetch(`${baseUrl}/users`)).status).toBe(401);
  const ended = new Promise((end) => child.once('close', end));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.concurrent('what a target sends can harm no reader of the terminal, of CI, or of a report', async () => {
  const nasty =
    '\u001b[2J\u0000\u0007\u009b \n::set-output name=verdict::conformant\n```\n</details><script>alert(1)</script>]]>\ud800';
  const { stdout, files } = await judgeByCommand(
    (service) => {
      service.list = () => ({
        status: 200,
        headers: { 'x-nasty': '::add-mask::x' },
        body: { data: nasty, total: nasty },
      });
      service.created = (user) => ({ status: 400, body: `${nasty}${user.name}` });
    },
    { GITHUB_ACTIONS: 'true' },
  );
  const commands = stdout.split('\n').filter((line) => /^\s*(::|##\[)/.test(line));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.filter((line) => !/^::(error|warning) title=/.test(line))).toEqual([]);
  const content = (name: string) => files.find(({ path }) => path.endsWith(name))?.content ?? '';
  const texts = [
    stdout,
    content('summary.md'),
    ...files.filter(({ path }) => path.includes('/allure-results/')).flatMap((one) => textsIn(one.content)),
  ];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(texts.filter((text) => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))).toEqual([]);
  expect(XMLValidator.validate(content('junit.xml'))).toBe(true);
  // In Markdown the script stands in fences that nothing in it can end.
  const outside = content('summary.md')
    .replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '')
    .replace(/(`+) .*? \1/g, '');
  expect(outside).not.toContain('<script>');
});

test.concurrent('Ctrl-C ends a run at once, with the reports of what was judged', async () => {
  let noAnswerAnyMore = () => {};
  const stuck = new Promise<void>((tell) => {
    noAnswerAnyMore = tell;
  });
  const service = await start((patched) => {
    const { handle } = patched;
    let asked = 0;
    patched.handle = async (request) => {
      asked += 1;
      if (asked <= 5) return handle(request);
      noAnswerAnyMore();
      return new Promise(() => {});
    };
  });
  await inFolder(async (folder) => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const child = spawn(process.execPath, [COMMAND], { cwd: folder, env });
    let stdout = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    const ended = new Promise((end) => child.once('close', end));
    await stuck;
    child.kill('SIGINT');
    expect(await ended).toBe(3);
    expect(stdout).toContain('the run was interrupted');
    expect(reportIn(folder)?.verdict).toBe('inconclusive');
    expect(readdirSync(join(folder, 'reports'))).toContain('junit.xml');
  }).finally(service.close);
});

test.concurrent('the key is in no output, also when the target sends it back in every form', async () => {
  const args = ['--write-known-failures', 'known.yml'];
  const patch: Patch = (service) => {
    const { handle, key } = service;
    const forms = [key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString('base64')];
    service.handle = async (request) => {
      const reply = await handle(request);
      const halves = { 'x-first': key.slice(0, 11), 'x-second': key.slice(11) };
      const echo = { forms, headers: request.headers, path: request.path, query: String(request.query) };
      return {
        status: 500,
        headers: { ...reply.headers, ...halves, 'x-echo': forms.join(' ') },
        body: { echo, reply: reply.body },
      };
    };
  };
  const { stdout, stderr, files, apiKey } = await judgeByCommand(patch, {}, args);
  expect(files.map(({ path }) => basename(path))).toContain('known.yml');
  const texts = [stdout, stderr, ...files.map(({ content }) => content)];
  expect(texts.length).toBeGreaterThan(10);
  const halves = [apiKey.slice(0, 11), apiKey.slice(11)];
  const secrets = [
    ...halves,
    apiKey,
    apiKey.slice(1),
    apiKey.slice(0, -1),
    Buffer.from(apiKey).toString('base64').slice(0, 20),
  ];
  for (const secret of [...secrets, ...secrets.map((one) => one.toUpperCase())]) {
    expect(texts.filter((text) => text.includes(secret) || text.toUpperCase().includes(secret))).toEqual([]);
  }
});
