import type { Requirement } from '../src/requirement/requirement.ts';
import type { Broken } from '../tests/services/broken/broken.ts';
import type { Deep } from '../tests/services/deep/deep.ts';
import type { DeepProof } from '../tests/services/deep/index.ts';
import type { Variant } from '../tests/services/variants/variant.ts';
import type { Implementation } from '../tests/wild/implementations.ts';
import type { Choice } from './choices.ts';

interface Proof {
  brokenServices: Broken[];
  variants: Variant[];
  /** Services with a fault that needs depth, and measurements of them. */
  deepServices: Deep[];
  implementations: Implementation[];
  found: DeepProof;
  /** Combinations of variants tried in the self-tests, and their seed. */
  runs: number;
  seed: number;
}

/** Renders, as Markdown, the proof by chapter: how many services of each kind there are. `npm run proof` names them. */
export function renderProof(
  requirements: Requirement[],
  choices: Choice[],
  proof: Omit<Proof, 'found'>,
): string {
  const { brokenServices, variants, deepServices, implementations, runs, seed } = proof;
  const chapters = [...new Set(requirements.map(({ chapter }) => chapter))];
  const rows = chapters.map((title) => {
    const slugs = requirements.filter(({ chapter }) => chapter === title).map(({ slug }) => slug);
    const count = (all: { slug: string }[]) =>
      all.filter(({ slug }) => slugs.includes(slug)).length;
    return `| ${title} | ${slugs.length} | ${count(brokenServices)} | ${count(deepServices)} |`;
  });
  return [
    '# Proof',
    '<!-- Made by `npm run docs` from the services in tests/services/. -->',
    'Each check is proven by services that must fail it and services that must pass. `npm run test:thorough` judges every service counted here and compares the failures with those listed, to the letter; `npm test` judges a selection. `npm run proof` writes the list of all services to `reports/proof.md`.',
    [
      '- Each broken service is a conforming one with one fault. Exactly the requirements listed with it fail, no other.',
      '- Each requirement is the only one that fails on at least one service, so a check that does nothing is noticed.',
      `- On the ${variants.length} conforming variants no MUST fails and nothing stays unverified. Only the SHOULDs listed with a variant fail.`,
      `- The same holds for ${runs} combinations of two or three variants, chosen at random (seed ${seed}).`,
      '- A second service, written independently of the first, and the same interface on Express 5 and Fastify 5 are conformant. The usual mistakes on each framework are caught.',
    ].join('\n'),
    '## Broken services by chapter',
    'Deep services have a fault that only the thorough run shows (`npm run test:thorough`).',
    [
      '| chapter | requirements | broken services | deep services |',
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n'),
    '## Real frameworks',
    'The interface, implemented as the documentation of each framework teaches, judged by `npm run test:wild`. Each conforms. Each usual mistake fails the requirement named.',
    [
      '| implementation | mistakes |',
      '| --- | --- |',
      ...implementations.map(({ name, mistakes }) => {
        const told = Object.entries(mistakes).map(
          ([mistake, slug]) => `${escaped(mistake)} (${slug})`,
        );
        return `| ${escaped(name)} | ${told.join('; ')} |`;
      }),
    ].join('\n'),
    '## Conforming variants by choice',
    [
      '| choice | variants |',
      '| --- | --- |',
      ...choices.map(
        ({ slug }) => `| ${slug} | ${variants.filter(({ choice }) => choice === slug).length} |`,
      ),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Renders, as Markdown, every service by name: what each requirement catches and what each choice tolerates. */
export function renderServices(
  requirements: Requirement[],
  choices: Choice[],
  {
    brokenServices,
    variants,
    deepServices,
    found,
  }: Omit<Proof, 'runs' | 'seed' | 'implementations'>,
): string {
  return [
    '# Services of the proof',
    'In brackets: other requirements that fail by the same fault.',
    ...requirements.map(({ slug, level, sentence }) => {
      const caught = brokenServices.filter((one) => one.slug === slug);
      const rows = caught.map(
        ({ name, also }) => `- ${name}${also.length ? ` (${also.join(', ')})` : ''}`,
      );
      return `## ${slug} (${level})\n\n${sentence}\n\n${rows.join('\n')}`;
    }),
    '## Deep services',
    'How many seeds find it, and the median number of requests, measured by the last `npm run test:thorough`.',
    [
      '| fault | requirement | seeds | requests |',
      '| --- | --- | --- | --- |',
      ...deepServices.map(({ slug, name }) => {
        const row = found[`${slug}: ${name}`];
        const seeds = row ? `${row.found} of ${row.of}` : 'not measured';
        return `| ${escaped(name)} | ${slug} | ${seeds} | ${row?.requests ?? ''} |`;
      }),
    ].join('\n'),
    ...choices.map(({ slug, sentence }) => {
      const used = variants.filter(({ choice }) => choice === slug);
      const rows = used.map(
        ({ name, breaks }) => `- ${name}${breaks.length ? ` (${breaks.join(', ')})` : ''}`,
      );
      return `## ${slug}\n\n${sentence}\n\n${rows.join('\n')}`;
    }),
  ]
    .join('\n\n')
    .concat('\n');
}

/** A text in a cell of a table. */
const escaped = (text: string) =>
  text.replaceAll(/[\\|<>*_`[\]~$]/g, (sign) => (sign === '|' ? '\\|' : `\\${sign}`));
