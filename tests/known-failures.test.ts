import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { schemaError } from '../schemas/validate.ts';
import { requirements } from '../specs/index.ts';
import { annotations } from '../src/reports/github/annotations.ts';
import { failuresOf, knownFailuresText, writeKnownFailures } from '../src/reports/known-failures-file.ts';
import { markdown } from '../src/reports/summary.ts';
import { closing } from '../src/reports/terminal.ts';
import type { Outcome, OutcomeName } from '../src/requirement/outcome.ts';
import { readSettings } from '../src/settings/settings.ts';
import { SettingsError } from '../src/settings/settings-error.ts';
import { accept } from '../src/verdict/accept.ts';
import { entriesToChange, lineToChange } from '../src/verdict/entries-to-change.ts';
import { type ListedFailure, readKnownFailures } from '../src/verdict/known-failures.ts';
import { decide } from '../src/verdict/verdict.ts';
import { inFolder } from './command.ts';
import { madeReport } from './made-report.ts';

const TODAY = new Date('2026-11-01T12:00:00Z');

/** Reads a file of known failures with this text. */
function readText(text: string, now = TODAY): Promise<ListedFailure[]> {
  return inFolder(async (folder) => {
    writeFileSync(join(folder, 'known.yml'), text);
    return readKnownFailures(join(folder, 'known.yml'), 'known.yml', now);
  });
}

const listed = (slug: string, changes: Partial<ListedFailure> = {}): ListedFailure => ({
  ...{ slug, reason: 'why', file: 'known.yml', line: 1, expired: false },
  ...changes,
});

const outcome = (slug: string, name: OutcomeName, changes: Partial<Outcome> = {}): Outcome => ({
  ...{ slug, outcome: name, reason: 'expected a, got b', duration: 1, evidence: [], exchanges: [] },
  ...changes,
});

describe('the file', () => {
  test('is YAML or JSON, and each entry knows its line', async () => {
    const yaml =
      '# ours\n\n- slug: a.b\n  reason: x\n- reason: y\n  slug: c.d\n  expires: 2026-11-01\n  link: https://t.example/1\n';
    const json = '[\n  { "slug": "a.b",\n    "reason": "x" },\n  { "slug": "c.d", "reason": "y" }\n]';
    expect(await readText(yaml)).toEqual([
      listed('a.b', { reason: 'x', line: 3 }),
      listed('c.d', { reason: 'y', line: 5, expires: '2026-11-01', link: 'https://t.example/1' }),
    ]);
    expect((await readText(json)).map(({ slug, line }) => [slug, line])).toEqual([
      ['a.b', 2],
      ['c.d', 4],
    ]);
    expect(await readText('# none yet\n')).toEqual([]);
  });

  test.each([
    ['2026-11-01T23:59:59Z', false],
    ['2026-11-02T00:00:00Z', true],
  ])('an entry that expires on 2026-11-01 is past its date at %s: %s', async (now, expired) => {
    for (const date of ['2026-11-01', '"2026-11-01"', '!!timestamp 2026-11-01']) {
      const [entry] = await readText(`- slug: a.b\n  reason: x\n  expires: ${date}\n`, new Date(now));
      expect(entry).toMatchObject({ expires: '2026-11-01', expired });
    }
  });

  test.each([
    ['- slug: a.b\n  reason: x\n- slug: c.d', "known.yml:3: must have required property 'reason'; an entry has"],
    ['- slug: a.b\n  reason: " "', 'known.yml:2: reason must match pattern'],
    ['- slug: a.b\n  reason: x\n  because: y', 'known.yml:1: must NOT have additional properties ("because")'],
    ['- slug: a.b\n  reason: x\n  expires: soon', 'known.yml:3: expires must match format "date"'],
    ['- slug: a.b\n  reason: x\n  expires: 2026-02-30', 'known.yml:3: expires must match format "date"'],
    ['- slug: a.b\n  reason: x\n  link: javascript:alert(1)', 'known.yml:3: link must match pattern'],
    ['- slug: a.b\n  reason: x\n  link: https://', 'known.yml:3: link must match format "uri"'],
    ['- slug: a.b\n  reason: x\n\n- slug: a.b\n  reason: y', 'known.yml:4: a.b is in line 1 already'],
    ['[{"slug":"a.b","reason":"x"},{"slug":"a.b","reason":"x"}]', 'known.yml:1: a.b is in line 1 already'],
    ['slug: a.b', 'known.yml:1: must be array'],
    ['- a.b', 'known.yml:1: must be object'],
    ['- slug: a.b\n  reason: x\n- [', 'known.yml:3: this is neither YAML nor JSON'],
    ['- *none', 'known.yml is neither YAML nor JSON'],
  ])('%j is unusable, and the line is named', async (text, sentence) => {
    const read = readText(text);
    await expect(read).rejects.toThrow(SettingsError);
    await expect(read).rejects.toThrow(sentence);
  });

  test('is refused with the key in it: reports show its entries', async () => {
    await inFolder(async (folder) => {
      writeFileSync(join(folder, 'known.yml'), '- slug: a.b\n  reason: the "secret-key" is refused\n');
      const target = { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: '"secret-key"' };
      const read = readSettings({ ...target, CONFORMANCE_KNOWN_FAILURES: 'known.yml' }, folder);
      await expect(read).rejects.toThrow('known.yml holds the key');
    });
  });
});

describe('an accepted failure', () => {
  test('is known, of either level, with the reason, the date and the link of its entry', () => {
    const entry = listed('a.b', { expires: '2026-12-31', link: 'https://t.example/1' });
    expect(accept(outcome('a.b', 'failed'), [entry])).toMatchObject({
      outcome: 'known-failure',
      reason: 'why, until 2026-12-31 (expected a, got b)',
      link: 'https://t.example/1',
    });
    const judged = (['MUST', 'SHOULD'] as const).map((level) => ({
      slug: 'a.b',
      level,
      outcome: 'known-failure' as const,
    }));
    expect(decide(judged, { strict: true, knownFailures: [entry] }).verdict).toBe('conformant');
  });

  test('with a generated reason does not tell its finding twice', () => {
    const reason = 'expected a, got b (as of 2026-01-02)';
    expect(accept(outcome('a.b', 'failed'), [listed('a.b', { reason })]).reason).toBe(reason);
  });

  test('excuses what can not be judged because of it, and nothing else', () => {
    const needing = outcome('c.d', 'not-verified', { needs: 'a.b', reason: 'needs: a.b' });
    expect(accept(needing, [listed('a.b')])).toMatchObject({ outcome: 'not-applicable' });
    expect(accept(needing, [listed('c.d')])).toBe(needing);
  });

  test('is a failure again when its date is past', () => {
    const entries = [listed('a.b', { expired: true, expires: '2026-10-31' })];
    const [failed, needing] = [outcome('a.b', 'failed'), outcome('c.d', 'not-verified', { needs: 'a.b' })];
    expect(accept(failed, entries)).toBe(failed);
    expect(accept(needing, entries)).toBe(needing);
  });
});

describe('entries to change', () => {
  const linesFor = (entry: ListedFailure, name?: OutcomeName) => {
    const slugs = requirements.map(({ slug }) => ({ slug, outcome: 'passed' as OutcomeName }));
    const judged = slugs.map((one) => (name && one.slug === entry.slug ? { ...one, outcome: name } : one));
    return entriesToChange([entry], judged).map(lineToChange);
  };
  const past = { expired: true, expires: '2026-10-31' };

  test.each([
    [
      listed('list.total-integer', { line: 7 }),
      'passed',
      'known.yml:7: list.total-integer passes now: remove this entry',
    ],
    [listed('create.location', past), 'passed', 'known.yml:1: create.location passes now: remove this entry'],
    [
      listed('create.location', { ...past, line: 5 }),
      'failed',
      'known.yml:5: the entry for create.location ended on 2026-10-31: mend it or give it a new date',
    ],
  ] as const)('are told with their line: %o, %s', (entry, name, line) => {
    expect(linesFor(entry, name)).toEqual([line]);
  });

  test.each([
    ['list.totl-integer', 'did you mean list.total-integer?'],
    ['list.total', 'did you mean list.total-integer?'],
    ['total-integer', 'did you mean list.total-integer?'],
    ['Create.Location', 'did you mean create.location?'],
    ['create.loctaion', 'did you mean create.location?'],
    ['zzz.qqq', 'remove this entry, or take the name from a report'],
    ['x', 'remove this entry, or take the name from a report'],
  ])('%s names no requirement: %s', (slug, advice) => {
    expect(linesFor(listed(slug))).toEqual([`known.yml:1: ${slug} names no requirement: ${advice}`]);
  });

  test.each(['known-failure', 'not-applicable', 'not-verified'] as const)(
    'an entry whose requirement is %s stays: a filter, read-only mode and a dead target judge nothing',
    (name) => {
      expect(linesFor(listed('create.location'), name)).toEqual([]);
    },
  );

  test('close the gate, with their lines as the reason', () => {
    const knownFailures = [listed('a.b', { line: 3 }), listed('c.d', { line: 7 })];
    const judged = [{ slug: 'a.b', level: 'MUST' as const, outcome: 'passed' as const }];
    expect(decide(judged, { strict: false, knownFailures })).toMatchObject({
      verdict: 'non-conformant',
      because: 'Known failures must be changed: known.yml:3, known.yml:7.',
      toChange: [{ why: 'stale' }, { why: 'unknown' }],
    });
    expect(decide([], { strict: false, knownFailures })).toMatchObject({ verdict: 'inconclusive', toChange: [] });
  });

  test('stand in the terminal, the summary, the annotations and the report, where nothing in them is more than text', () => {
    const knownFailures = [
      listed('a.b', { file: 'our,known.yml', line: 7 }),
      listed('`<b>`\u001b[2J\n::error::x', { line: 9 }),
      listed('c.d', { link: 'https://t.example/1?a=<b>)' }),
    ];
    const rows = [
      { slug: 'a.b' },
      { slug: 'c.d', outcome: 'known-failure' as const, link: knownFailures[2]?.link ?? '' },
    ];
    const report = madeReport(rows, { settings: { strict: false, readOnly: false, knownFailures } });
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
    expect(terminal).toContain('\n  https://t.example/1?a=<b>)\n');
    expect(terminal).not.toMatch(/^::error/m);
    for (const text of [terminal, markdown(report), ...annotations(report)]) expect(text).not.toContain('\u001b');
    expect(markdown(report)).toContain(
      '- ` our,known.yml:7: a.b passes now: remove this entry `\n- `` known.yml:9: `<b>`',
    );
    expect(markdown(report)).toContain('<https://t.example/1?a=%3Cb%3E)>');
  });
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
  const entries = failuresOf(madeReport(rows, { settings: { strict: false, readOnly: false, knownFailures } }));

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

  test('that can not be written any more is told', async () => {
    await inFolder(async (folder) => {
      expect(await writeKnownFailures(madeReport([]), folder)).toMatch(/ could not be written \(EISDIR\)$/);
    });
  });

  test('goes to a place that can be written, or the settings are unusable', async () => {
    await inFolder(async (folder) => {
      const settings = (value: string) => readSettings({ CONFORMANCE_WRITE_KNOWN_FAILURES: value }, folder);
      expect((await settings('yet/to/be/made.yml')).writeKnownFailures).toBe(join(folder, 'yet/to/be/made.yml'));
      writeFileSync(join(folder, 'file'), '');
      expect((await settings('file')).writeKnownFailures).toBe(join(folder, 'file'));
      for (const value of ['.', 'file/known.yml']) await expect(settings(value)).rejects.toThrow(SettingsError);
    });
  });
});
