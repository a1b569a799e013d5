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
  /** Services whose fault needs depth, and what was measured of them. */
  deepServices: Deep[];
  implementations: Implementation[];
  found: DeepProof;
  /** Combinations of variants tried in the self-tests, and their seed. */
  runs: number;
  seed: number;
}

/** Renders, as Markdown, the proof by chapter: how many services of each kind there are. `npm run proof` names them. */
export function renderProof(requirements: Requirement[], choices: Choice[], proof: Omit<Proof, 'found'>): string {
  const { brokenServices, variants, deepServices, implementations, runs, seed } = proof;
  const chapters = [...new Set(requirements.map(({ chapter }) => chapter))];
  const rows = chapters.map((title) => {
    const slugs = requirements.filter(({ chapter }) => chapter === title).map(({ slug }) => slug);
    const count = (all: { slug: string }[]) => all.filter(({ slug }) => slugs.includes(slug)).length;
    return `| ${title} | ${slugs.length} | ${count(brokenServices)} | ${count(deepServices)} |`;
  });
  return [
    '# Proof',
    '<!-- Made by `npm run docs` from the services in tests/services/. -->',
    'A check is worth what it catches and what it lets pass. The self-tests (`npm test`) judge every service counted here and compare what fails with what is listed, to the letter. `npm run proof` writes the list of all of them to `reports/proof.md`.',
    [
      '- Each broken service is a conforming one with one fault. Exactly the requirements listed with it fail, no other.',
      '- Each requirement is the only one that fails on at least one service: none could be left out unnoticed.',
      `- On the ${variants.length} conforming variants no MUST fails and nothing stays unverified. Only the SHOULDs listed with a variant fail.`,
      `- The same holds for ${runs} combinations of two or three variants, chosen at random (seed ${seed}).`,
      '- A second service, written independently of the first, and the same interface on Express 5 and Fastify 5 are conformant. Each framework with the usual mistakes is caught.',
    ].join('\n'),
    '## Broken services by chapter',
    'The default run finds a deep service at most by chance; the thorough run finds its fault (`npm run test:thorough`).',
    ['| chapter | requirements | broken services | deep services |', '| --- | --- | --- | --- |', ...rows].join('\n'),
    '## Real frameworks',
    'The interface in the way that the documentation of each framework teaches, judged by `npm run test:wild`. Each conforms. Each of the mistakes, which are usual there, is told by the requirement named.',
    [
      '| implementation | mistakes |',
      '| --- | --- |',
      ...implementations.map(({ name, mistakes }) => {
        const told = Object.entries(mistakes).map(([mistake, slug]) => `${escaped(mistake)} (${slug})`);
        return `| ${escaped(name)} | ${told.join('; ')} |`;
      }),
    ].join('\n'),
    '## Conforming variants by choice',
    [
      '| choice | variants |',
      '| --- | --- |',
      ...choices.map(({ slug }) => `| ${slug} | ${variants.filter(({ choice }) => choice === slug).length} |`),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Renders, as Markdown, every service by name: what each requirement catches and what each choice tolerates. */
export function renderServices(
  requirements: Requirement[],
  choices: Choice[],
  { brokenServices, variants, deepServices, found }: Omit<Proof, 'runs' | 'seed' | 'implementations'>,
): string {
  return [
    '# Services of the proof',
    'In brackets: what fails as well, because the same fault breaks that sentence too.',
    ...requirements.map(({ slug, level, sentence }) => {
      const caught = brokenServices.filter((one) => one.slug === slug);
      const rows = caught.map(({ name, also }) => `- ${name}${also.length ? ` (${also.join(', ')})` : ''}`);
      return `## ${slug} (${level})\n\n${sentence}\n\n${rows.join('\n')}`;
    }),
    '## Deep services',
    'How many seeds find it, and by which request in the median, as the last `npm run test:thorough` measured it.',
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
      const rows = used.map(({ name, breaks }) => `- ${name}${breaks.length ? ` (${breaks.join(', ')})` : ''}`);
      return `## ${slug}\n\n${sentence}\n\n${rows.join('\n')}`;
    }),
  ]
    .join('\n\n')
    .concat('\n');
}

/** A text in a cell of a table. */
const escaped = (text: string) => text.replaceAll(/[\\|<>*_`[\]~$]/g, (sign) => (sign === '|' ? '\\|' : `\\${sign}`));
