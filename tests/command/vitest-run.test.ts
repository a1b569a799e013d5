import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, reportIn, runNode, VITEST } from '../shell.ts';

test.concurrent('a wrong key is one failed test of Vitest, and one reason in every report', async () => {
  const service = await start();
  await inFolder(async (folder) => {
    const env = {
      BASE_URL: service.baseUrl,
      API_KEY: 'another-key',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
    };
    const { code, stdout } = await runNode([VITEST, 'run'], env, join(COMMAND, '../..'));
    const because = 'The service returns 401 for GET /users and POST /users with this API_KEY: is it the right key?';
    expect(stdout).toMatch(/ 1 failed \| 1 passed \| \d+ skipped /);
    expect(stdout).toContain(`Verdict: inconclusive. ${because}`);
    expect(code).toBe(1);
    expect(reportIn(folder)).toMatchObject({ verdict: 'inconclusive', because, obstacle: because });
    const junit = readFileSync(join(folder, 'reports/junit.xml'), 'utf8');
    expect(junit.match(/<error /g)).toHaveLength(1);
    const [, rest = ''] = readFileSync(join(folder, 'reports/summary.md'), 'utf8').split(because);
    expect(rest).not.toContain('the right key');
  }).finally(service.close);
});

test.concurrent('a plain `vitest run` at the top makes the same run; a filtered one says so in every report', async () => {
  await inFolder(async (folder) => {
    const top = join(COMMAND, '../..');
    const env = {
      BASE_URL: 'embedded-reference',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
      CONFORMANCE_ONLY: 'versioning.* create.location',
      CONFORMANCE_SKIP: '*.unknown-version',
      GITHUB_OUTPUT: join(folder, 'outputs'),
    };
    // Vite would print the configuration, in which the key is.
    const debugged = await runNode([VITEST, 'run'], { ...env, DEBUG: 'vite:*' }, top);
    expect(debugged.stderr).toContain('DEBUG makes Vite print its configuration, and the key with it: unset it.\n');
    expect(debugged.code).toBe(2);
    const { code, stdout } = await runNode([VITEST, 'run'], env, top);
    expect(code).toBe(0);
    expect(stdout).toContain('Verdict: conformant (partial). Every MUST that was judged holds.');
    const report = reportIn(folder);
    expect(report?.title).toBe('conformant (partial)');
    expect(report?.target.embeddedReference).toBe(true);
    const judged = report?.requirements.filter(({ outcome }) => outcome !== 'not-applicable').map(({ id }) => id);
    expect(judged).toEqual(['versioning.base-address', 'versioning.needs-segment', 'create.location']);
    // Of the page what it says, not how it looks.
    const shown = (text: string) => text.replaceAll(/<(style|script)>.*?<\/\1>|<[^>]*>/gs, '');
    const texts = [
      stdout,
      ...filesBelow(folder).map(({ path, content }) => (path.endsWith('.html') ? shown(content) : content)),
    ];
    const spoken = texts.flatMap((text) => text.match(/(?<!non-|"verdict": ")\bconformant\b.{0,10}/g) ?? []);
    expect(spoken.filter((words) => !words.startsWith('conformant (partial)'))).toEqual([]);
    const junit = filesBelow(folder).find(({ path }) => path.endsWith('junit.xml'))?.content;
    expect(junit).toContain('<testsuites name="user-management-conformance (partial)"');
  });
});
