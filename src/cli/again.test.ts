import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenBy } from '../../tests/services/named.ts';
import { start } from '../../tests/services/service.ts';
import { inFolder } from '../../tests/shell.ts';
import { judge } from '../api/index.ts';
import type { RunFile, RunResult } from '../reports/run-result.ts';
import { SettingsError } from '../settings/errors.ts';
import { judgeFile } from './made-runs.ts';

const terms = {
  settings: { strict: false, failOn: 'failure' as const, selection: { only: [], skip: [] } },
  knownFailures: [],
};

/** The file of a run, which all of these change. */
let file = '';
let service: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  service = await start(brokenBy('total is a string'));
  file = await fileOf('list.*', 'http.*');
});
afterAll(() => service.close());

/** What is in the file of a run. */
function fileOf(...only: string[]): Promise<string> {
  const { baseUrl, apiKey } = service;
  return inFolder(async (reportDir) => {
    await judge({ baseUrl, apiKey, only, reportDir, settleMs: 200 });
    return gunzipSync(readFileSync(join(reportDir, 'run.json.gz'))).toString();
  });
}

/** Judges what a file has in it. */
function judged(content: Buffer | RunFile, changes: object = {}): Promise<RunResult> {
  return inFolder(async (folder) => {
    const path = join(folder, 'run.json.gz');
    writeFileSync(path, Buffer.isBuffer(content) ? content : gzipSync(JSON.stringify(content)));
    return judgeFile(path, { ...terms, settings: { ...terms.settings, ...changes } });
  });
}

const made = (): RunFile => JSON.parse(file);

/** The sentence by which a file is refused. */
async function refusal(content: Buffer | RunFile): Promise<string> {
  const error = await judged(content).catch((reason) => reason);
  expect(error).toBeInstanceOf(SettingsError);
  expect(error.message).toMatch(/^\S+run\.json\.gz .*[^.]$/);
  expect(error.message.length).toBeLessThan(400);
  return error.message;
}

test('it has no key in it, and says what the filter of the run left out', async () => {
  expect(file).not.toContain(service.apiKey);
  const { report } = await judged(made());
  expect(report).toMatchObject({ verdict: 'non-conformant', scope: { partial: true } });
  expect(report.requirements.find(({ id }) => id === 'list.total-integer')?.outcome).toBe('failed');
  await expect(judged(made(), { selection: { only: ['create.*'], skip: [] } })).rejects.toThrow(
    /^That run left out everything that CONFORMANCE_ONLY and CONFORMANCE_SKIP select\.$/,
  );
  await expect(judged(made(), { selection: { only: ['list.total'], skip: [] } })).rejects.toThrow(
    'No requirement matches "list.total": did you mean list.total-integer?',
  );
});

test('a requirement that the run did not know is not verified, and why', async () => {
  const run: RunFile = JSON.parse(await fileOf('versioning.*'));
  run.suite.requirementSet = '1.0.0';
  run.leftOut = run.leftOut.filter((slug) => slug !== 'create.location');
  const { report } = await judged(run);
  const one = report.requirements.find(({ id }) => id === 'create.location');
  expect(one).toMatchObject({ outcome: 'not-verified' });
  expect(one?.reason).toMatch(
    /^the run was made with requirement set 1\.0\.0, and this version of the suite has /,
  );
});

describe('a file that is none is refused in one sentence', () => {
  const packed = (text: string) => gzipSync(text);
  test.each<[string, () => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['not packed', () => Buffer.from(file)],
    ['cut short', () => packed(file).subarray(0, 2000)],
    ['no JSON', () => packed('<html>')],
    ['null', () => packed('null')],
    ['a list', () => packed('[]')],
    ['another object', () => packed('{"__proto__":{"format":1}}')],
    // Each part is unpacked to a mebibyte.
    [
      'very large when it is unpacked',
      () => Buffer.concat(Array(65).fill(gzipSync(Buffer.alloc(2 ** 20)))),
    ],
  ])('%s', async (_, content) => {
    expect(await refusal(content())).toMatch(/ is not a run\.json\.gz/);
  });

  const withHistory = (changes: object) => ({
    ...made(),
    history: { ...made().history, ...changes },
  });
  test.each<[string, () => object]>([
    ['of another version', () => ({ ...made(), format: 99 })],
    ['with a member too many', () => ({ ...made(), more: 1 })],
    [
      'with another address',
      () => ({ ...made(), target: { ...made().target, baseUrl: 'javascript:alert(1)' } }),
    ],
    ['without a history', () => ({ ...made(), history: undefined })],
    ['with a number as history', () => ({ ...made(), history: 7 })],
    ['with an empty history', () => ({ ...made(), history: {} })],
    ['without lists', () => withHistory({ lists: undefined })],
    ['with a number as a list', () => withHistory({ lists: 7 })],
    ['with a number as an exchange', () => withHistory({ exchanges: [7] })],
    ['with an exchange too few', () => withHistory({ exchanges: [] })],
    [
      'with another method',
      () =>
        withHistory({
          exchanges: made().history.exchanges.map((one) => ({
            ...one,
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
    await refusal(content() as RunFile);
    expect(Object(1).polluted).toBeUndefined();
  });

  test('with lists in lists', async () => {
    const depth = 100_000;
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    await refusal(packed(file.replace('"history":{', `"history":{"more":${nested},`)));
  });
});

/** Numbers that are the same in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** The objects and arrays in a value, itself included. */
const partsOf = (value: unknown): object[] =>
  typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(partsOf)]
    : [];

test('a history in which anything is changed is judged, or refused in one sentence', async () => {
  const drawn = numbers(2026);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(drawn.next().value * all.length)] as T;
  const odd = [
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
    const run = made();
    for (let change = 0; change < 1 + (round % 3); change += 1) {
      const part = pick(partsOf(run.history));
      Object.assign(part, { [pick(Object.keys(part)) ?? 0]: pick(odd) });
    }
    const end = await judged(run).then(
      ({ report }) => report.verdict,
      (error) => (error instanceof SettingsError ? 'refused' : `${error.stack}`),
    );
    expect(end).toMatch(/^(conformant|non-conformant|inconclusive|refused)$/);
  }
});
