import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderProof } from '../docs/render-proof.ts';
import { renderRequirements } from '../docs/render-requirements.ts';
import { freedoms } from '../specs/freedoms.ts';
import { requirements } from '../specs/index.ts';
import { REQUIREMENT_SET } from '../specs/requirement-set.ts';
import { settingRows } from '../src/settings.ts';
import { EXIT } from '../src/verdict.ts';
import { brokenServices } from './services/broken/index.ts';
import { COMBINATIONS, variants } from './services/variants/index.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('the list of requirements is the one of the declarations (npm run docs makes it)', async () => {
  await expect(renderRequirements(requirements, freedoms, REQUIREMENT_SET)).toMatchFileSnapshot(
    '../docs/requirements.md',
  );
});

test('the proof is the one of the services (npm run docs makes it)', async () => {
  await expect(renderProof(requirements, freedoms, { brokenServices, variants, ...COMBINATIONS })).toMatchFileSnapshot(
    '../docs/proof.md',
  );
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

test('the README has every setting with its flag and default, and every exit code', () => {
  const readme = read('README.md');
  for (const row of settingRows) {
    const flag = 'flag' in row ? `\`--${row.flag}\`` : '';
    const line = readme.split('\n').find((one) => one.startsWith(`| \`${row.variable}\` |`));
    expect(line, row.variable).toContain(flag);
    if (row.variable.startsWith('CONFORMANCE_')) expect(line, row.variable).toContain(`| ${row.default || 'none'} |`);
  }
  for (const code of Object.values(EXIT)) expect(readme).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
});

test('slugs are unique, name their chapter, and stand on requirements that are judged before', () => {
  const slugs = requirements.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  const order = ['first', 'together', 'alone', 'end'];
  for (const { slug, needs, phase, sentence } of requirements) {
    expect(slug).toMatch(/^[a-z-]+\.[a-z0-9-]+$/);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    for (const need of needs) {
      const needed = requirements.find((one) => one.slug === need);
      expect(needed, `${slug} needs ${need}`).toBeDefined();
      expect(order.indexOf(needed?.phase ?? '')).toBeLessThanOrEqual(order.indexOf(phase));
    }
  }
});
