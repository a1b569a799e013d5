import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { Case } from '../../src/requirement/case.ts';
import { casesOf, type Requirement } from '../../src/requirement/requirement.ts';
import { type JudgeOptions, judgeKept } from '../run.ts';
import type { Broken } from '../services/broken/broken.ts';
import { wrongWith } from '../services/cells/faults.ts';
import { withMarks } from '../services/cells/mark.ts';
import { type Patch, start, withPeople } from '../services/service.ts';
import type { Variant } from '../services/variants/variant.ts';
import * as exampleCase from './example-case.ts';
import * as exampleCheck from './example-check.ts';
import * as examplePhase from './example-phase.ts';
import * as exampleRequirement from './example-requirement.ts';
import { expectGuide } from './guide.ts';
import { blocks, ROOT, read } from './text.ts';

const page = read('CONTRIBUTING.md');

/** The example of a recipe: what it adds to the suite, and the services that prove it. */
interface Example {
  /** The heading of the recipe. */
  recipe: string;
  code: string;
  /** The blocks of TypeScript in the recipe that are taken from the example. */
  shown: number;
  options: JudgeOptions;
  brokenServices: Broken[];
  variants: Variant[];
}

/** The requirements of the suite, with some added, or put in the place of those of the same name. */
function withRequirements(added: readonly Requirement[]): Requirement[] {
  const isReplaced = ({ slug }: Requirement) => added.some((other) => other.slug === slug);
  return [...requirements.filter((requirement) => !isReplaced(requirement)), ...added];
}

const examples: Example[] = [
  {
    recipe: '## Add a requirement',
    code: 'tests/docs/example-requirement.ts',
    shown: 4,
    options: { requirements: withRequirements(exampleRequirement.requirements) },
    ...exampleRequirement,
  },
  {
    recipe: '### A requirement on the whole run',
    code: 'tests/docs/example-check.ts',
    shown: 4,
    options: { requirements: withRequirements(exampleCheck.requirements) },
    ...exampleCheck,
  },
  {
    recipe: '## Add a phase',
    code: 'tests/docs/example-phase.ts',
    shown: 3,
    options: { explore: examplePhase.readInARow },
    ...examplePhase,
  },
];

const recipes = [
  { recipe: '## Add a case', code: 'tests/docs/example-case.ts', shown: 1 },
  ...examples,
];

test.each(recipes)('the code of $recipe is that of its example', ({ recipe, code, shown }) => {
  const inExample = withoutIndentation(read(code));
  const inRecipe = blocks(sectionOf(recipe)).filter(({ language }) => language === 'ts');
  const taken = inRecipe.filter((block) => inExample.includes(withoutIndentation(block.code)));
  expect(taken).toHaveLength(shown);
  // A line of the suite itself is at its place in the suite.
  const others = inRecipe.filter((block) => !taken.includes(block));
  const suite = withoutIndentation(read('src/run/run.ts'));
  for (const { code: line } of others) expect(suite).toContain(withoutIndentation(line));
});

test('the case of the example is sent, and a service that does just this case wrong fails', async () => {
  const { slug, cases } = exampleCase;
  const marked = withMarks(
    requirements.map((requirement): Requirement => {
      if (requirement.slug !== slug || requirement.cases === undefined) return requirement;
      const isReplaced = ({ name }: Case) => cases.some((other) => other.name === name);
      const others = casesOf(requirement).filter((testCase) => !isReplaced(testCase));
      return { ...requirement, cases: [...others, ...cases] };
    }),
  );
  const requirement = marked.find((other) => other.slug === slug) as Requirement;
  const added = casesOf(requirement).filter(({ name }) => name === cases[0]?.name);
  expect(added).toHaveLength(1);
  for (const testCase of added) {
    const options = { requirements: marked };
    const conforming = await judged(options, withPeople);
    expect(conforming).toMatchObject({ failed: [], faults: [] });
    expect(conforming.passed).toContain(slug);
    const broken = await judged(options, withPeople, wrongWith(requirement, testCase));
    expect(broken).toMatchObject({ failed: [slug], faults: [] });
  }
});

test('the recipe of a requirement has its guide', () => {
  const [block] = blocks(sectionOf('## Add a requirement')).filter(
    ({ language }) => language === 'md',
  );
  const [requirement] = exampleRequirement.requirements;
  expectGuide(block?.code ?? '', requirement?.slug ?? '');
});

test.each(examples)('the example of $recipe fails alone on its broken service', async (example) => {
  const { options, brokenServices, variants } = example;
  const slugs = brokenServices.map(({ slug }) => slug);
  expect((await judged(options)).passed).toEqual(expect.arrayContaining(slugs));
  for (const { patch, also, slug } of brokenServices) {
    expect((await judged(options, patch)).failed).toEqual([slug, ...also].sort());
  }
  for (const { patch } of variants) {
    expect(await judged(options, patch)).toMatchObject({ failed: [], faults: [] });
  }
});

/** Whether a reader of the recipe has added its phase. */
const isAdded = existsSync(join(ROOT, 'src/run/read-in-a-row.ts'));

test.skipIf(isAdded)('only the new phase shows the fault of its example', async () => {
  for (const { patch } of examplePhase.brokenServices) {
    const service = await start(patch);
    const run = await judgeKept(service).finally(service.close);
    expect(run.slugs('failed')).toEqual([]);
  }
});

async function judged(options: JudgeOptions, ...patches: Patch[]) {
  const service = await start(...patches);
  const run = await judgeKept(service, {}, options).finally(service.close);
  return { failed: run.slugs('failed'), passed: run.slugs('passed'), faults: run.faults };
}

/** Returns the text from a heading to the next one. */
function sectionOf(heading: string): string {
  const [, section = ''] = page.split(`\n${heading}\n`);
  return section.split(/^##+ /m)[0] ?? '';
}

const withoutIndentation = (code: string): string => code.replaceAll(/^ +/gm, '');
