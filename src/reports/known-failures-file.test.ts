import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { schemaError } from '../../schemas/validate.ts';
import { listed, readText } from '../../tests/listed.ts';
import { madeReport } from '../../tests/made-report.ts';
import { inFolder } from '../../tests/shell.ts';
import { readSettings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { annotations } from './github.ts';
import { failuresOf, knownFailuresText, writeKnownFailures } from './known-failures-file.ts';
import { markdown } from './summary.ts';
import { closing } from './terminal.ts';

test('entries to change stand in the terminal, the summary, the annotations and the report, where nothing in them is more than text', () => {
  const knownFailures = [
    listed('a.b', { file: 'our,known.yml', line: 7 }),
    listed('`<b>`\u001b[2J\n::error::x', { line: 9 }),
    listed('c.d', { link: 'https://t.example/1?a=<b>)' }),
  ];
  const rows = [
    { slug: 'a.b' },
    { slug: 'c.d', outcome: 'known-failure' as const, link: knownFailures[2]?.link ?? '' },
  ];
  const report = madeReport(rows, { knownFailures });
  expect(schemaError('report.schema.json', report, 'report')).toBeUndefined();
  expect(report.knownFailures.listed[0]).toEqual({ slug: 'a.b', reason: 'why' });
  expect(annotations(report)).toEqual([
    '::error file=our%2Cknown.yml,line=7,title=Known failure a.b::a.b passes now: remove this entry',
    expect.stringMatching(
      /^::error file=known.yml,line=9,title=Known failure `<b>`\\u001b\[2J%0A.*names no requirement/,
    ),
  ]);
  const terminal = closing(report, 'reports', (_, text) => text);
  expect(terminal).toContain('\nour,known.yml:7: a.b passes now: remove this entry\n');
  expect(terminal).toContain('\n    https://t.example/1?a=<b>)\n');
  expect(terminal).not.toMatch(/^::error/m);
  for (const text of [terminal, markdown(report), ...annotations(report)]) expect(text).not.toContain('\u001b');
  expect(markdown(report)).toContain('```text\nour,known.yml:7: a.b passes now: remove this entry\nknown.yml:9: `<b>`');
});

describe('the written file', () => {
  const knownFailures = [
    listed('a.kept', { reason: 'ours', link: 'https://t.example/1', expires: '2026-12-31' }),
    listed('a.expired', { expired: true, expires: '2025-12-31' }),
    listed('a.left-out'),
    listed('a.stale'),
    listed('a.unknown'),
  ];
  const nasty = '- x: "y"\n# z\u001b[2J \u202e: {[&*!|>%@`\u2028 ';
  const rows = [
    { slug: 'a.must', outcome: 'failed' as const, reason: nasty },
    { slug: 'a.expired', outcome: 'failed' as const, reason: 'expected a, got b' },
    { slug: 'a.kept', outcome: 'known-failure' as const, reason: 'ours (expected a, got b)' },
    { slug: 'a.should', level: 'SHOULD' as const, outcome: 'failed' as const, reason: 'x'.repeat(1000) },
    { slug: 'a.left-out', outcome: 'not-applicable' as const },
    { slug: 'a.open', outcome: 'not-verified' as const },
    { slug: 'a.stale' },
  ];
  const entries = failuresOf(madeReport(rows, { knownFailures }));

  test('has the failures in the order of the report; entries stay, but those that are stale or unknown', () => {
    expect(entries).toEqual([
      { slug: 'a.must', reason: expect.stringMatching(/ \(as of 2026-01-02\)$/) },
      { slug: 'a.expired', reason: 'why', expires: '2025-12-31' },
      { slug: 'a.kept', reason: 'ours', link: 'https://t.example/1', expires: '2026-12-31' },
      { slug: 'a.should', reason: `${'x'.repeat(200)}… (1000 characters) (as of 2026-01-02)` },
      { slug: 'a.left-out', reason: 'why' },
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(entries[0]?.reason).not.toMatch(/[\u0000-\u001f\u202e\u2028]/);
  });

  test.each(['known.yml', 'known.JSON'])('%s is read as it was written, whatever a target has sent', async (name) => {
    const text = await knownFailuresText(entries, name, '2026-01-02');
    expect(name === 'known.yml' ? parse(text) : JSON.parse(text)).toEqual(entries);
    expect(await readText(text)).toMatchObject(entries);
  });

  test('of a run without failures is an empty list', async () => {
    const text = await knownFailuresText([], 'known.yml', '2026-01-02');
    expect(text).toBe('# Known failures, written on 2026-01-02: nothing failed.\n[]\n');
    expect(await readText(text)).toEqual([]);
  });

  test('that can not be written any more is said', async () => {
    await inFolder(async (folder) => {
      expect(await writeKnownFailures(madeReport([]), folder)).toMatch(/ could not be written \(EISDIR\)$/);
    });
  });

  test('goes to a place that can be written, or the settings are unusable', async () => {
    await inFolder(async (folder) => {
      const settings = (value: string) => readSettings({ CONFORMANCE_WRITE_KNOWN_FAILURES: value }, folder);
      expect(settings('yet/to/be/made.yml').writeKnownFailures).toBe(join(folder, 'yet/to/be/made.yml'));
      writeFileSync(join(folder, 'file'), '');
      expect(settings('file').writeKnownFailures).toBe(join(folder, 'file'));
      for (const value of ['.', 'file/known.yml']) expect(() => settings(value)).toThrow(SettingsError);
    });
  });
});
