import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Made, madeReport } from '../../tests/made-report.ts';
import { inFolder } from '../../tests/shell.ts';
import { mergeReports } from '../reports/merged.ts';
import { SettingsError } from '../settings/errors.ts';
import { merge } from './made-runs.ts';

const made = (changes: Partial<Made>) =>
  JSON.stringify(madeReport([{ slug: 'list.answers' }], changes));
const tally = { tag: 'abc', start: 0, requests: 1, usersCreated: 1, observations: {} };
const suite = { name: 'suite', version: '1.0.0', requirementSet: '1.0.0' };

const reports: Record<string, string> = {
  one: made({ tally }),
  'other-version': made({ suite: { ...suite, version: '2.0.0' } }),
  'other-set': made({ suite: { ...suite, requirementSet: '1.1.0' } }),
  'other-target': made({
    target: { name: 'B', baseUrl: 'http://127.0.0.1:3000/v1', embeddedReference: false },
  }),
  merged: JSON.stringify(
    mergeReports([{ from: 'one', report: madeReport([{ slug: 'list.answers' }]) }]),
  ),
  broken: '{"verdict": ',
};

test.each([
  [[], 'merge needs the report directories of runs: merge DIR… [--report-dir DIR].'],
  [
    ['--strict', 'one'],
    "Unknown option '--strict'. merge takes report directories and --report-dir DIR.",
  ],
  [
    ['one', 'none'],
    "none can't be read (ENOENT): run the suite first, or give the report directory of a run.",
  ],
  [['one', 'broken'], 'broken/conformance.json is not JSON: run the suite first'],
  [['one', 'other-version'], 'The reports differ in the suite version: 1.0.0 in '],
  [['one', 'other-set'], 'other-set; make them with the same version of the suite.'],
  [['one', 'other-target'], 'other-target; give the runs one name with --name, or use compare.'],
  [['one', 'one/conformance.json'], 'hold the same run: name it once.'],
  [['one', 'merged'], 'merged is a merged report: name the runs that it was made of.'],
  [
    ['one', '--report-dir', 'one'],
    'is an input and the output: choose another directory with --report-dir.',
  ],
  [['one/conformance.json', '--report-dir', 'one'], 'is an input and the output'],
])('merge ends %o in one sentence', async (args, sentence) => {
  await inFolder(async (folder) => {
    for (const [name, text] of Object.entries(reports)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'conformance.json'), text);
    }
    const there = args.map((one) => (one.startsWith('--') ? one : join(folder, one)));
    expect(() => merge(there)).toThrow(SettingsError);
    expect(() => merge(there)).toThrow(sentence);
  });
});
