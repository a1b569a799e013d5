import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Running } from '../../tests/services/listen.ts';
import { brokenBy } from '../../tests/services/named.ts';
import { start } from '../../tests/services/service.ts';
import { inFolder } from '../../tests/shell.ts';
import { judge } from '../api/index.ts';
import type { RunFile, RunResult } from '../reports/run-result.ts';
import { SettingsError } from '../settings/errors.ts';
import { judgeFile } from './again.ts';

const terms = {
  settings: { strict: false, failOn: 'failure' as const, selection: { only: [], skip: [] } },
  knownFailures: [],
};

/** The text of the file of a run. */
let file = '';
let service: Running;

beforeAll(async () => {
  service = await start(brokenBy('total is a string'));
  file = await makeFile('list.*', 'http.*');
});
afterAll(() => service.close());

/** Makes a run. Returns the text of its file. */
function makeFile(...only: string[]): Promise<string> {
  const { baseUrl, apiKey } = service;
  return inFolder(async (reportDir) => {
    await judge({ baseUrl, apiKey, only, reportDir, settleMs: 200 });
    return gunzipSync(readFileSync(join(reportDir, 'run.json.gz'))).toString();
  });
}

/** Judges a file with this content. */
function judgeContent(content: Buffer | RunFile, changes: object = {}): Promise<RunResult> {
  return inFolder(async (folder) => {
    const path = join(folder, 'run.json.gz');
    writeFileSync(path, Buffer.isBuffer(content) ? content : gzipSync(JSON.stringify(content)));
    return judgeFile(path, { ...terms, settings: { ...terms.settings, ...changes } });
  });
}

const parseRun = (): RunFile => JSON.parse(file);

/** Returns the error of an unusable file. */
async function readError(content: Buffer | RunFile): Promise<string> {
  const error = await judgeContent(content).catch((reason) => reason);
  expect(error).toBeInstanceOf(SettingsError);
  expect(error.message).toMatch(/^\S+run\.json\.gz .*[^.]$/);
  expect(error.message.length).toBeLessThan(400);
  return error.message;
}

test('the file has no key, and knows the requirements that the run skipped', async () => {
  expect(file).not.toContain(service.apiKey);
  const { report } = await judgeContent(parseRun());
  expect(report).toMatchObject({ verdict: 'non-conformant', scope: { partial: true } });
  expect(report.requirements.find(({ id }) => id === 'list.total-integer')?.outcome).toBe('failed');
  await expect(
    judgeContent(parseRun(), { selection: { only: ['create.*'], skip: [] } }),
  ).rejects.toThrow(
    /^That run left out everything that CONFORMANCE_ONLY and CONFORMANCE_SKIP select\.$/,
  );
  await expect(
    judgeContent(parseRun(), { selection: { only: ['list.total'], skip: [] } }),
  ).rejects.toThrow('No requirement matches "list.total": did you mean list.total-integer?');
});

test('a requirement that the run did not know is not verified, with the reason', async () => {
  const run: RunFile = JSON.parse(await makeFile('versioning.*'));
  run.suite.requirementSet = '1.0.0';
  run.leftOut = run.leftOut.filter((slug) => slug !== 'create.location');
  const { report } = await judgeContent(run);
  const row = report.requirements.find(({ id }) => id === 'create.location');
  expect(row).toMatchObject({ outcome: 'not-verified' });
  expect(row?.reason).toMatch(
    /^the run was made with requirement set 1\.0\.0, and this version of the suite has /,
  );
});

const ZEROS: unknown[] = Array(4_000_000).fill(0);

describe('an unusable file is an error of one sentence', () => {
  test.each<[string, () => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['not compressed', () => Buffer.from(file)],
    ['cut short', () => gzipSync(file).subarray(0, 2000)],
    ['no JSON', () => gzipSync('<html>')],
    ['null', () => gzipSync('null')],
    ['a list', () => gzipSync('[]')],
    ['another object', () => gzipSync('{"__proto__":{"format":1}}')],
    // 65 parts of a MiB.
    [
      'too large after decompression',
      () => Buffer.concat(Array(65).fill(gzipSync(Buffer.alloc(2 ** 20)))),
    ],
  ])('%s', async (_, content) => {
    expect(await readError(content())).toMatch(/ is not a run\.json\.gz/);
  });

  test.each<[string, (run: RunFile) => object]>([
    ['a text of 2 MiB', (run) => ({ ...run, obstacle: 'x'.repeat(2 * 2 ** 20) })],
    ['a clause of 300,001 characters', (run) => ({ ...run, obstacle: 'x'.repeat(300_001) })],
    ['a name of 60 MB', (run) => ({ ...run, target: { ...run.target, name: 'x'.repeat(6e7) } })],
    ['a name of a member of 2 MiB', (run) => ({ ...run, ['x'.repeat(2 * 2 ** 20)]: 1 })],
    ['four million values', (run) => ({ ...run, history: { ...run.history, more: ZEROS } })],
  ])('with %s', async (_, change) => {
    expect(await readError(change(parseRun()) as RunFile)).toMatch(/ is not a run\.json\.gz/);
  });

  const withHistory = (changes: object) => ({
    ...parseRun(),
    history: { ...parseRun().history, ...changes },
  });
  test.each<[string, () => object]>([
    ['of another version', () => ({ ...parseRun(), format: 99 })],
    ['with a member too many', () => ({ ...parseRun(), more: 1 })],
    [
      'with another address',
      () => ({ ...parseRun(), target: { ...parseRun().target, baseUrl: 'javascript:alert(1)' } }),
    ],
    ['without a history', () => ({ ...parseRun(), history: undefined })],
    ['with a number as history', () => ({ ...parseRun(), history: 7 })],
    ['with an empty history', () => ({ ...parseRun(), history: {} })],
    ['without lists', () => withHistory({ lists: undefined })],
    ['with a number as a list', () => withHistory({ lists: 7 })],
    ['with a number as an exchange', () => withHistory({ exchanges: [7] })],
    ['with an exchange too few', () => withHistory({ exchanges: [] })],
    [
      'with another method',
      () =>
        withHistory({
          exchanges: parseRun().history.exchanges.map((exchange) => ({
            ...exchange,
            request: { method: 'PUT' },
          })),
        }),
    ],
    ['with an exchange that is not there', () => withHistory({ atRest: [{ $exchange: 99_999 }] })],
    [
      'with a prototype',
      () => withHistory({ lists: JSON.parse('{"__proto__":{"polluted":true}}') }),
    ],
  ])('%s', async (_, content) => {
    await readError(content() as RunFile);
    expect(Object(1).polluted).toBeUndefined();
  });

  test('with deeply nested lists', async () => {
    const depth = 100_000;
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    await readError(gzipSync(file.replace('"history":{', `"history":{"more":${nested},`)));
  });
});

/** Yields pseudo-random numbers, the same in each run. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Returns the objects and arrays in a value, itself included. */
const partsOf = (value: unknown): object[] =>
  typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(partsOf)]
    : [];

test('a history with random changes is judged, or an error of one sentence', async () => {
  const random = randomNumbers(2026);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random.next().value * all.length)] as T;
  const oddValues = [
    -1,
    0,
    1,
    2 ** 40,
    null,
    '',
    'x',
    true,
    [],
    {},
    { $exchange: 1 },
    { $number: 'x' },
    { id: 1 },
  ];
  for (let round = 0; round < 40; round += 1) {
    const run = parseRun();
    for (let change = 0; change < 1 + (round % 3); change += 1) {
      const part = pick(partsOf(run.history));
      Object.assign(part, { [pick(Object.keys(part)) ?? 0]: pick(oddValues) });
    }
    const end = await judgeContent(run).then(
      ({ report }) => report.verdict,
      (error) => (error instanceof SettingsError ? 'refused' : `${error.stack}`),
    );
    expect(end).toMatch(/^(conformant|non-conformant|inconclusive|refused)$/);
  }
});
