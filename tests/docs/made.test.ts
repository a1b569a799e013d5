import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderCases } from '../../docs/render-cases.ts';
import { renderRequirements } from '../../docs/render-requirements.ts';
import { choices } from '../../specs/choices.ts';
import { requirements } from '../../specs/index.ts';
import { REQUIREMENT_SET } from '../../specs/suite.ts';
import { thorough } from '../../specs/thorough/index.ts';
import { settingRows } from '../../src/settings/table.ts';
import { brokenServices } from '../services/broken/index.ts';
import { deepServices } from '../services/deep/index.ts';
import { variants } from '../services/variants/index.ts';
import { ROOT, read } from './text.ts';

const CHANGED = `The set of requirements has changed, but its version is still ${REQUIREMENT_SET}: raise REQUIREMENT_SET in \
specs/suite.ts as docs/requirements.md says, write the change into CHANGELOG.md, and run npm run docs.`;

const requirementPages = renderRequirements(
  { requirements, choices, thorough, version: REQUIREMENT_SET },
  { brokenServices, deepServices, variants },
);

test.each(Object.entries(requirementPages))(
  'the page %s is the one of the declarations and services (npm run docs makes it)',
  async (path, text) => {
    await expect(text).toMatchFileSnapshot(`../../docs/${path}`);
  },
);

test('the page on cases is the one of the types (npm run docs makes it)', async () => {
  const page = renderCases(read('src/requirement/case.ts'));
  await expect(page).toMatchFileSnapshot('../../docs/cases.md');
});

test('docs/requirements has the page of each chapter, and no other', () => {
  const names = readdirSync(join(ROOT, 'docs/requirements'));
  const paths = names.map((name) => `requirements/${name}`);
  expect(['requirements.md', ...paths].sort()).toEqual(Object.keys(requirementPages).sort());
});

test('each choice limits requirements that exist', () => {
  const slugs = requirements.map(({ slug }) => slug);
  const limited = choices.flatMap(({ limits }) => limits);
  expect(limited.filter((slug) => !slugs.includes(slug))).toEqual([]);
});

test('.env.example has every setting, each with a line on it', () => {
  const lines = read('.env.example').split('\n');
  for (const { variable, default: fallback } of settingRows) {
    const at = lines.findIndex((line) => line.startsWith(`# ${variable}=`));
    expect(at, variable).toBeGreaterThan(0);
    expect(lines[at - 1], variable).toMatch(/^# \S+ /);
    if (variable.startsWith('CONFORMANCE_')) expect(lines[at]).toBe(`# ${variable}=${fallback}`);
  }
});

test('the set of requirements is the one of its version: slugs and levels', async () => {
  const committed = JSON.parse(read('tests/docs/requirement-set.json'));
  const levels = Object.fromEntries(requirements.map(({ slug, level }) => [slug, level]));
  if (committed.version === REQUIREMENT_SET)
    expect(levels, CHANGED).toEqual(committed.requirements);
  const set = { version: REQUIREMENT_SET, requirements: levels };
  await expect(`${JSON.stringify(set, null, 2)}\n`).toMatchFileSnapshot('requirement-set.json');
});

test('slugs are unique, and sentences are sentences', () => {
  const slugs = requirements.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const { slug, sentence } of requirements) {
    expect(slug).toMatch(/^[a-z-]+\.[a-z0-9-]+$/);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
});
