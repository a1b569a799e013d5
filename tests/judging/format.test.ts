import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { judge } from '../../src/api/index.ts';
import { judgeFile } from '../../src/cli/again.ts';
import { FORMAT } from '../../src/reports/run-result.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder } from '../shell.ts';

/** A run that an earlier version has written in this format. */
const FILE = fileURLToPath(new URL(`./run-format-${FORMAT}.json.gz`, import.meta.url));

const JUDGED = { 'create.location': 'failed', 'list.total-integer': 'passed' };
const only = Object.keys(JUDGED);

/** Writes the file of a run. */
async function writeRun(): Promise<void> {
  const service = await start(brokenBy('a Location that is the list'));
  await inFolder(async (reportDir) => {
    await judge({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      name: 'a service',
      only,
      reportDir,
    });
    copyFileSync(join(reportDir, 'run.json.gz'), FILE);
  }).finally(service.close);
  expect(gunzipSync(readFileSync(FILE)).toString()).not.toContain(service.apiKey);
}

test('an older run of the same format is read and has the same outcomes; otherwise raise FORMAT', async () => {
  if (!existsSync(FILE)) {
    await writeRun();
    expect.fail(`${FILE} was missing and is written: keep it`);
  }
  const settings = { strict: false, failOn: 'failure' as const, selection: { only, skip: [] } };
  const { report } = judgeFile(FILE, { settings, knownFailures: [] });
  const judged = report.requirements
    .filter(({ id }) => only.includes(id))
    .map(({ id, outcome }) => [id, outcome]);
  expect(Object.fromEntries(judged)).toEqual(JUDGED);
});
