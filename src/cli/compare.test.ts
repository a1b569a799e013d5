import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeReport } from '../../tests/made-report.ts';
import { inFolder } from '../../tests/shell.ts';
import { SettingsError } from '../settings/errors.ts';
import { compare } from './compare.ts';

const report = madeReport([{ slug: 'list.answers' }]);
const { target: _, ...withoutTarget } = report;
const unnamed = {
  ...report,
  target: { baseUrl: 'http://127.0.0.1:1001/v1', embeddedReference: false },
};

test.each([
  [[], 'compare takes the report directories of runs'],
  [['--strict', 'good'], "Unknown option '--strict'"],
  [['good', 'none'], "none can't be read (no such file or directory): run the suite first"],
  [
    ['good', 'empty'],
    "empty/conformance.json can't be read (no such file or directory): run the suite first",
  ],
  [['good', 'broken.json'], 'broken.json is not JSON'],
  [
    ['other.json'],
    "other.json is not a report of this version of the suite (report must have required property 'target')",
  ],
  [
    ['unnamed.json'],
    "unnamed.json is not a report of this version of the suite (report/target must have required property 'name')",
  ],
  [['good', '--report-dir', 'broken.json'], "broken.json can't be written to"],
])('compare %o is an error of one sentence', async (args, sentence) => {
  await inFolder(async (folder) => {
    for (const directory of ['good', 'empty']) mkdirSync(join(folder, directory));
    writeFileSync(join(folder, 'good/conformance.json'), JSON.stringify(report));
    writeFileSync(join(folder, 'broken.json'), '{"verdict": ');
    writeFileSync(join(folder, 'other.json'), JSON.stringify(withoutTarget));
    writeFileSync(join(folder, 'unnamed.json'), JSON.stringify(unnamed));
    const paths = args.map((arg) => (arg.startsWith('--') ? arg : join(folder, arg)));
    const run = () => compare(paths);
    expect(run).toThrow(SettingsError);
    expect(run).toThrow(sentence);
  });
});

test('compares reports of different requirement sets, with an unknown slug as text', async () => {
  await inFolder(async (folder) => {
    const unknown = 'old.<img src=x>';
    const older = madeReport([{ slug: 'list.answers' }, { slug: unknown, outcome: 'failed' }]);
    for (const [name, content] of Object.entries({ older, newer: report })) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'conformance.json'), JSON.stringify(content));
    }
    const out = join(folder, 'out');
    const printed = compare([join(folder, 'older'), join(folder, 'newer'), '--report-dir', out]);
    expect(printed).toContain(`\n${unknown} fails since 2026-01-02 03:04 UTC\n\n`);
    expect(printed).toMatch(/^2026-01-02 03:04 UTC: ✗ non-conformant, 1\/2 MUST, 0\/0 SHOULD\n/);
    expect(readFileSync(join(out, 'comparison.md'), 'utf8')).toContain(
      `| MUST \` ${unknown} \` | ✗ | · |`,
    );
  });
});
