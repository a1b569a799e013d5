import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { madeExchange, madeReport, reportOf } from '../../tests/made-report.ts';
import { judgeAll } from '../../tests/run.ts';
import { startHere } from '../../tests/services/here.ts';
import { brokenBy } from '../../tests/services/named.ts';
import { inFolder } from '../../tests/shell.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { SettingsError } from '../settings/errors.ts';
import { junit } from './junit.ts';
import { runPage } from './page/run-page.ts';
import { readReport } from './read-report.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { markdown } from './summary.ts';

const known = {
  slug: 'a.one',
  level: 'MUST',
  chapter: 'A chapter',
  sentence: 'It holds.',
  source: { text: 'a document' },
} as const;
const report = madeReport([{ slug: 'a.one', outcome: 'failed', reason: 'expected 1, got 2' }]);
const exchange = madeExchange({ failure: 'no response' });

/** Writes a report and reads it. */
function writeAndRead(written: unknown): Promise<Report> {
  return inFolder(async (folder) => {
    writeFileSync(
      join(folder, 'conformance.json'),
      typeof written === 'string' ? written : JSON.stringify(written),
    );
    return readReport(folder, [known]);
  });
}

const withRow = (changes: Partial<ReportedRequirement>) => ({
  ...report,
  requirements: report.requirements.map((row) => ({ ...row, ...changes })),
});
const withExchange = (changes: object) => withRow({ exchanges: [{ ...exchange, ...changes }] });
const many = <T>(make: (at: number) => T, length = 5000) =>
  Array.from({ length }, (_, at) => make(at));

test.each<[string, unknown, string]>([
  [
    'an unknown requirement',
    withRow({ id: 'a.two' }),
    'has the requirement a.two, which this version',
  ],
  ['an unknown root', withRow({ needs: 'a.two' }), 'has the requirement a.two, which this version'],
  [
    'many unknown requirements',
    { ...report, requirements: many((at) => ({ ...report.requirements[0], id: `a.${at}` }), 1000) },
    'has the requirement a.0, which this version of the suite does not have.',
  ],
  [
    'too many requirements',
    { ...report, requirements: many((at) => ({ ...report.requirements[0], id: `a.${at}` })) },
    'report/requirements must NOT have more than 1000 items',
  ],
  [
    'a duplicate requirement',
    { ...report, requirements: many(() => report.requirements[0], 1000) },
    'has a duplicate requirement, a.one.',
  ],
  [
    'a huge slug',
    withRow({ needs: 'a'.repeat(1e6) }),
    'needs must NOT have more than 100 characters',
  ],
  [
    'a nonexistent day',
    { ...report, start: '2026-02-30T00:00:00Z' },
    'report/start must match format',
  ],
  [
    'a nonexistent hour',
    { ...report, start: '2026-02-03T25:00:00Z' },
    'report/start must match format',
  ],
  ['a huge number', { ...report, requests: 2 ** 53 }, 'report/requests must be <= 1000000000000'],
  ['a time after the last date', withExchange({ at: 9e15 }), 'exchanges/0/at must be <= '],
  [
    'a script as base address',
    { ...report, target: { ...report.target, baseUrl: 'javascript:alert(1)' } },
    'baseUrl must',
  ],
  [
    'an address with a user',
    { ...report, target: { ...report.target, baseUrl: 'http://a@b/v1' } },
    'baseUrl must',
  ],
  ['a script as link', withRow({ link: 'javascript:alert(1)' }), 'link must match'],
  [
    'a path that is part of a host',
    withExchange({ request: { ...exchange.request, path: '@b/' } }),
    'path must match',
  ],
  [
    'a header that a shell would execute',
    withExchange({
      request: { ...exchange.request, headers: { '`id`': '<CONFORMANCE_HEADERS>' } },
    }),
    'headers must match',
  ],
  [
    'too many known failures',
    {
      ...report,
      knownFailures: { listed: many((at) => ({ slug: `x${at}`, reason: 'r' })), toChange: [] },
    },
    'must NOT have more than',
  ],
  ['a huge name', { ...report, ['x'.repeat(1e6)]: 1 }, 'must NOT have additional properties'],
  ['only brackets', '['.repeat(1e6), 'is not JSON'],
])('a report with %s is rejected with one sentence', async (_, written, sentence) => {
  const error: unknown = await writeAndRead(written).catch((reason) => reason);
  expect(error).toBeInstanceOf(SettingsError);
  const { message } = error as SettingsError;
  expect(message).toContain(sentence);
  expect(message.length).toBeLessThan(500);
});

test('texts and the verdict do not come from the file', async () => {
  const picture = '![x](http://stranger.example/x.png)';
  const forged = {
    ...withRow({
      level: 'SHOULD',
      chapter: picture,
      sentence: picture,
      source: { text: picture, url: 'javascript:1' },
    }),
    verdict: 'conformant',
    title: 'conformant',
    because: picture,
    counts: madeReport([]).counts,
  };
  const read = await writeAndRead(forged);
  expect(read).toEqual(report);
  expect(`${markdown(read)}${runPage(read)}`).not.toMatch(/stranger|javascript/);
});

test('a report of a run is read unchanged', async () => {
  const service = await startHere(brokenBy('total is a string'));
  const { outcomes, tally } = await judgeAll(service).finally(service.close);
  const written = reportOf(outcomes, { tally });
  await inFolder(async (folder) => {
    const file = join(folder, 'mine.json');
    writeFileSync(file, JSON.stringify(written));
    expect(readReport(file, requirements)).toEqual(JSON.parse(JSON.stringify(written)));
  });
});

test('a file that is a link is not followed', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'run'));
    writeFileSync(join(folder, 'elsewhere.json'), JSON.stringify(report));
    symlinkSync('../elsewhere.json', join(folder, 'run/conformance.json'));
    for (const path of ['run', 'run/conformance.json']) {
      expect(() => readReport(join(folder, path), [known])).toThrow(
        'is a symbolic link, which is not followed',
      );
    }
  });
});

test('numbers, times and lists at their limits are shown', async () => {
  const most = 1e12;
  const longest = 1e14;
  const full = {
    ...withRow({
      exchanges: many((id): ShownExchange => ({ ...exchange, id })),
      reason: '`a'.repeat(150_000),
    }),
    start: '9999-12-31T23:59:59.999Z',
    requests: most,
    duration: longest,
    users: { created: most, tag: 'a' },
    observations: Object.fromEntries(many((at) => [`o${at}`, ['a', 'b']])),
  };
  const read = await writeAndRead(full);
  expect(read).toMatchObject({ users: { created: most }, duration: longest });
  for (const text of [runPage(read), markdown(read), junit(read)])
    expect(text).not.toContain('NaN');
});

test('with keepsUnknown, an unknown requirement keeps only its slug and outcome', async () => {
  const unknown = withRow({
    id: 'a.<b>two',
    sentence: '<b>',
    chapter: '<b>',
    source: { text: '<b>' },
  });
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'conformance.json'), JSON.stringify(unknown));
    const { requirements: rows, verdict } = readReport(folder, [known], { keepsUnknown: true });
    expect(rows).toMatchObject([
      { id: 'a.<b>two', outcome: 'failed', chapter: 'No longer checked', sentence: '' },
    ]);
    expect(verdict).toBe('non-conformant');
  });
});
