import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { judge, propertyRows } from './judge.ts';
import type { JudgeSettings } from './judge-settings.ts';

const source = readFileSync(new URL('judge-settings.ts', import.meta.url), 'utf8');
/** The doc comment, the name and the type of each property. */
const documented = [
  ...source.matchAll(/\/\*\* (.+) \*\/\n {2}(\w+)\??: (.+?)(?: \| undefined)?;/g),
];

test('each setting has a doc comment with its default', () => {
  expect(documented.map(([, , property]) => property)).toEqual(
    propertyRows.map(({ property }) => property),
  );
  for (const { property, kind, default: fallback } of propertyRows) {
    const [, comment = '', , type] = documented.find(([, , name]) => name === property) ?? [];
    const isRequired = property === 'baseUrl' || property === 'apiKey';
    expect(comment, property).toMatch(isRequired ? /\. Required\.$/ : /\. Default: .+\.$/);
    if (kind.isSwitch)
      expect([type, comment]).toEqual(['boolean', expect.stringContaining('false')]);
    else if (kind.separator) expect(type, property).toBe('string[]');
    // A program without a report directory gets no reports.
    else if (fallback && property !== 'reportDir')
      expect(comment, property).toContain(`Default: ${fallback}.`);
  }
});

test('an unusable setting rejects with an error named SettingsError', async () => {
  const settings: JudgeSettings = { baseUrl: 'here', apiKey: 'a-key-4711' };
  await expect(judge(settings)).rejects.toMatchObject({ name: 'SettingsError' });
});
