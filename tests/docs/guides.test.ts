import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { guides } from '../../specs/guides/index.ts';
import { requirements } from '../../specs/index.ts';
import type { Fix } from '../../src/requirement/guide.ts';

/** Columns of a line of code that a terminal of 80 shows indented. */
const COLUMNS = 76;

const slugs = requirements.map(({ slug }) => slug);

const fixes: Fix[] = Object.values(guides).flatMap((guide) => [...guide.fixes]);

test('each requirement has a guide, and each guide a requirement', () => {
  expect(Object.keys(guides).sort()).toEqual([...slugs].sort());
});

describe.each(slugs)('%s', (slug) => {
  const guide = guides[slug];

  test('has a reason, a mistake, two stacks and a freedom, in sentences', () => {
    const { why = '', mistake = '', fixes: pair = [], freedoms = [] } = guide ?? {};
    for (const text of [why, mistake, ...freedoms]) expect(text).toMatch(/^\S.*\.$/);
    expect(new Set(pair.map(({ stack }) => stack)).size).toBe(2);
    expect(freedoms).not.toEqual([]);
  });

  test('names only requirements that exist', () => {
    const texts = [guide?.why, guide?.mistake, ...(guide?.freedoms ?? [])].join(' ');
    const prefixes = new Set(slugs.map((one) => one.split('.')[0]));
    const named = [...texts.matchAll(/`([a-z-]+)\.([a-z0-9-]+)`/g)];
    for (const [, prefix = '', rest] of named.filter(([, one = '']) => prefixes.has(one)))
      expect(slugs).toContain(`${prefix}.${rest}`);
  });
});

test('no line of code is too long for a terminal of 80 columns, and none has a tab', () => {
  const lines = fixes.flatMap(({ code }) => code.split('\n'));
  expect(lines.filter((line) => line.length > COLUMNS || /\t| $/.test(line))).toEqual([]);
});

test('all JavaScript parses', () => {
  const samples = fixes.filter(({ language }) => language === 'js').map(({ code }) => code);
  expect(samples.length).toBeGreaterThan(40);
  // A sample may be the middle of an async function.
  for (const code of samples)
    expect(() => parseAst(`async () => {\n${code}\n}`), code).not.toThrow();
});
