import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND, filesBelow, inFolder, reportIn, runNode, VITEST } from './command.ts';
import { judgeAll } from './run.ts';
import { brokenServices } from './services/broken/index.ts';
import { type Service, start } from './services/service.ts';

const SHARDS = [1, 2, 3];
const FAULTS = ['total is a string', 'no Location', 'any token is good'];

const broken = (service: Service) => {
  for (const { name, patch } of brokenServices) if (FAULTS.includes(name)) patch(service);
};

test.concurrent('a run that is spread over shards, and merged, has the reports of one run', async () => {
  const [service, another] = await Promise.all([start(broken), start(broken)]);
  const one = await judgeAll(another).finally(another.close);
  const top = join(COMMAND, '../..');
  await inFolder(async (folder) => {
    const env = {
      BASE_URL: service.baseUrl,
      API_KEY: service.apiKey,
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
    };
    await Promise.all(
      SHARDS.map((index) => {
        const blob = join(folder, `blobs/${index}.json`);
        const args = [VITEST, 'run', `--shard=${index}/${SHARDS.length}`, '--reporter=blob', `--outputFile=${blob}`];
        return runNode(args, env, top);
      }),
    );
    const { stdout } = await runNode([VITEST, 'run', `--merge-reports=${join(folder, 'blobs')}`], env, top);
    expect(stdout).toContain('Verdict: non-conformant. 2 requirements failed.');
    const report = reportIn(folder);
    const outcomes = (rows: { slug: string; outcome: string; reason: string }[]) =>
      Object.fromEntries(rows.map(({ slug, outcome }) => [slug, outcome]));
    expect(outcomes(report?.requirements.map((row) => ({ ...row, slug: row.id })) ?? [])).toEqual(
      outcomes(one.outcomes),
    );
    expect(report?.scope.partial).toBe(false);
    expect(report?.users.tag.split(' ')).toHaveLength(SHARDS.length);

    const har = JSON.parse(readFileSync(join(folder, 'reports/exchanges.har'), 'utf8'));
    const attempts = har.log.entries.map(({ _attempts }: { _attempts: number }) => _attempts);
    expect(attempts.reduce((sum: number, count: number) => sum + count, 0)).toBe(report?.requests);
    const junit = readFileSync(join(folder, 'reports/junit.xml'), 'utf8');
    expect([...junit.matchAll(/<testcase /g)]).toHaveLength(one.outcomes.length);
    const results = filesBelow(join(folder, 'reports/allure-results'));
    expect(results.filter(({ path }) => path.endsWith('-result.json'))).toHaveLength(one.outcomes.length);
  }).finally(service.close);
});
