import { expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { Requirement } from '../../src/requirement/requirement.ts';
import { type JudgeOptions, judgeKept } from '../run.ts';
import type { Broken } from '../services/broken/broken.ts';
import { type Patch, start } from '../services/service.ts';
import type { Variant } from '../services/variants/variant.ts';
import * as exampleCase from './example-case.ts';
import * as exampleCheck from './example-check.ts';
import * as examplePhase from './example-phase.ts';
import { blocks, read } from './text.ts';

/** The example of a page: what it adds to the suite, and the services that prove it. */
interface Example {
  page: string;
  code: string;
  /** The blocks of TypeScript on the page that are taken from the example. */
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
    page: 'docs/adding-a-case.md',
    code: 'tests/docs/example-case.ts',
    shown: 4,
    options: { requirements: withRequirements(exampleCase.requirements) },
    ...exampleCase,
  },
  {
    page: 'docs/adding-a-check.md',
    code: 'tests/docs/example-check.ts',
    shown: 4,
    options: { requirements: withRequirements(exampleCheck.requirements) },
    ...exampleCheck,
  },
  {
    page: 'docs/adding-a-phase.md',
    code: 'tests/docs/example-phase.ts',
    shown: 3,
    options: { explore: examplePhase.readInARow },
    ...examplePhase,
  },
];

test.each(examples)('the code of $page is that of its example', ({ page, code, shown }) => {
  const inExample = withoutIndentation(read(code));
  const onPage = blocks(read(page)).filter(({ language }) => language === 'ts');
  const taken = onPage.filter((block) => inExample.includes(withoutIndentation(block.code)));
  expect(taken).toHaveLength(shown);
  // A line of the suite itself is at its place in the suite.
  const others = onPage.filter((block) => !taken.includes(block));
  const suite = withoutIndentation(read('src/run/run.ts'));
  for (const { code: line } of others) expect(suite).toContain(withoutIndentation(line));
});

test.each(examples)('the example of $page fails alone on its broken service', async (example) => {
  const { options, brokenServices, variants } = example;
  const judged = async (...patches: Patch[]) => {
    const service = await start(...patches);
    const run = await judgeKept(service, {}, options).finally(service.close);
    return { failed: run.slugs('failed'), passed: run.slugs('passed'), faults: run.faults };
  };
  const slugs = brokenServices.map(({ slug }) => slug);
  expect((await judged()).passed).toEqual(expect.arrayContaining(slugs));
  for (const { patch, also, slug } of brokenServices) {
    expect((await judged(patch)).failed).toEqual([slug, ...also].sort());
  }
  for (const { patch } of variants) {
    expect(await judged(patch)).toMatchObject({ failed: [], faults: [] });
  }
});

test('only the new phase shows the fault of its example', async () => {
  for (const { patch } of examplePhase.brokenServices) {
    const service = await start(patch);
    const run = await judgeKept(service).finally(service.close);
    expect(run.slugs('failed')).toEqual([]);
  }
});

const withoutIndentation = (code: string): string => code.replaceAll(/^ +/gm, '');
