import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { choices } from '../../specs/choices.ts';
import { requirements } from '../../specs/index.ts';
import { expectGuide, fixesIn, sectionIn } from './guide.ts';
import { ROOT, read } from './text.ts';

const guideTo = (slug: string) => read(`docs/guides/${slug}.md`);

test('each requirement has a guide, and each guide a requirement', () => {
  const files = requirements.map(({ slug }) => `${slug}.md`);
  expect(readdirSync(join(ROOT, 'docs/guides')).sort()).toEqual(files.sort());
});

test.each(requirements)(
  'docs/guides/$slug.md has its sections, and code for two stacks',
  ({ slug }) => expectGuide(guideTo(slug), slug),
);

const limits = choices.flatMap(({ limits, sentence }) =>
  limits.map((slug) => ({ slug, sentence })),
);

test.each(limits)('docs/guides/$slug.md names a freedom: $sentence', ({ slug, sentence }) => {
  expect(sectionIn(guideTo(slug), 'What is free')).toContain(sentence);
});

test('all JavaScript parses', () => {
  const fixes = requirements.flatMap(({ slug }) => fixesIn(guideTo(slug)));
  const samples = fixes.filter(({ language }) => language === 'js').map(({ code }) => code);
  expect(samples.length).toBeGreaterThan(40);
  // A sample may be the middle of an async function.
  for (const code of samples)
    expect(() => parseAst(`async () => {\n${code}\n}`), code).not.toThrow();
});
