import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, reportIn, runNode } from '../shell.ts';

test.concurrent('the failures of one run, written and listed, do not fail the next; other entries do', async () => {
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
      { slug: 'list.total-integer', reason: 'to be fixed', expires: '2020-01-31' },
      { slug: 'create.location', reason: 'to be fixed', link: 'https://tickets.example.com/1' },
      { slug: 'retrieve.values', reason: 'was broken' },
    ];
    writeFileSync(join(folder, 'known.yml'), entries.map((entry) => `- ${JSON.stringify(entry)}`).join('\n'));
    const args = ['--known-failures', 'known.yml', '--write-known-failures', 'known.json'];
    const third = await runNode([COMMAND, ...args], { ...env, GITHUB_ACTIONS: 'true' }, folder);
    expect(third.code).toBe(1);
    expect(third.stdout).toContain('✗ MUST   list.total-integer');
    expect(third.stdout).toContain('\nknown.yml:1: the entry for list.total-integer ended on 2020-01-31: fix it');
    expect(third.stdout).toContain('\nknown.yml:3: retrieve.values passes now: remove this entry\n');
    expect(third.stdout).toContain('\n::error file=known.yml,line=3,title=Known failure retrieve.values::');
    expect(JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8'))).toEqual(entries.slice(0, 2));
    const allure = filesBelow(folder).filter(({ path }) => path.endsWith('-result.json'));
    const links = allure.flatMap(({ content }) => JSON.parse(content).links);
    expect(links).toContainEqual({ name: entries[1]?.link, url: entries[1]?.link, type: 'issue' });
    expect(schemaError('report.schema.json', reportIn(folder), 'report')).toBeUndefined();
  }).finally(service.close);
});
