import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listed, readText, TODAY } from '../../tests/listed.ts';
import { inFolder } from '../../tests/shell.ts';
import { SettingsError } from '../settings/errors.ts';
import { readKnownFailures } from './known-failures.ts';

test('a file that cannot be read is a settings error', () => {
  const read = () => readKnownFailures('/nowhere/none.yml', 'none.yml', TODAY);
  expect(read).toThrow(SettingsError);
  expect(read).toThrow("none.yml can't be read");
});

test('the file is YAML or JSON, and each entry has its line', async () => {
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

test('a byte order mark is accepted, and so is UTF-16, which PowerShell writes', async () => {
  const text = '\ufeff- slug: a.b\n  reason: x\n';
  const json = '\ufeff[{ "slug": "a.b", "reason": "x" }]';
  for (const content of [text, json, Buffer.from(text, 'utf16le')]) {
    expect(await readText(content)).toEqual([listed('a.b', { reason: 'x', line: 1 })]);
  }
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
  [
    '- slug: a.b\n  reason: x\n- slug: c.d',
    "known.yml:3: must have required property 'reason'; an entry has",
  ],
  ['- slug: a.b\n  reason: " "', 'known.yml:2: reason must match pattern'],
  [
    '- slug: a.b\n  reason: x\n  because: y',
    'known.yml:1: must NOT have additional properties ("because")',
  ],
  ['- slug: a.b\n  reason: x\n  expires: soon', 'known.yml:3: expires must match format "date"'],
  [
    '- slug: a.b\n  reason: x\n  expires: 2026-02-30',
    'known.yml:3: expires must match format "date"',
  ],
  ['- slug: a.b\n  reason: x\n  link: javascript:alert(1)', 'known.yml:3: link must match pattern'],
  ['- slug: a.b\n  reason: x\n  link: https://', 'known.yml:3: link must match format "uri"'],
  ['- slug: a.b\n  reason: x\n\n- slug: a.b\n  reason: y', 'known.yml:4: a.b is already on line 1'],
  [
    '[{"slug":"a.b","reason":"x"},{"slug":"a.b","reason":"x"}]',
    'known.yml:1: a.b is already on line 1',
  ],
  ['slug: a.b', 'known.yml:1: must be array'],
  ['- a.b', 'known.yml:1: must be object'],
  ['- slug: a.b\n  reason: x\n- [', 'known.yml:3: this is neither YAML nor JSON'],
  ['- *none', 'known.yml is neither YAML nor JSON'],
])('%j is rejected with its line', async (text, sentence) => {
  const read = readText(text);
  await expect(read).rejects.toThrow(SettingsError);
  await expect(read).rejects.toThrow(sentence);
});

test('a file with the key is rejected, because reports show its entries', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'known.yml');
    writeFileSync(path, '- slug: a.b\n  reason: the "secret-key" is refused\n');
    const read = () => readKnownFailures(path, 'known.yml', TODAY, '"secret-key"');
    expect(read).toThrow(SettingsError);
    expect(read).toThrow('known.yml holds the key');
  });
});
