import type { Freedom } from '../specs/freedoms.ts';
import type { Requirement } from '../src/requirement/requirement.ts';
import type { Broken } from '../tests/services/broken/broken.ts';
import type { Deep } from '../tests/services/deep/deep.ts';
import type { DeepProof } from '../tests/services/deep/index.ts';
import type { Variant } from '../tests/services/variants/variant.ts';

interface Proof {
  brokenServices: Broken[];
  variants: Variant[];
  /** Services whose fault needs depth, and what was measured of them. */
  deepServices: Deep[];
  found: DeepProof;
  /** Combinations of variants tried in the self-tests, and their seed. */
  runs: number;
  seed: number;
}

/** Renders, as Markdown, which broken services each requirement catches and which variants each freedom tolerates. */
export function renderProof(requirements: Requirement[], freedoms: Freedom[], proof: Proof): string {
  const { brokenServices, variants, deepServices, found, runs, seed } = proof;
  const measured = deepServices.flatMap(({ slug, name }) => {
    const row = found[`${slug}: ${name}`];
    return row ? [{ slug, name, row }] : [];
  });
  return [
    '# Proof',
    '<!-- Made by `npm run docs` from the services in tests/services/. -->',
    'A check is worth what it catches and what it lets pass. The self-tests (`npm test`) start every service named here, run all checks against it, and compare what fails with what is listed, to the letter.',
    [
      `- ${brokenServices.length} broken services: each a conforming one with one fault. Exactly the requirements listed fail on it, no other.`,
      `- ${variants.length} conforming variants: no MUST fails on any, nothing stays unverified, and of the SHOULDs those fail that stand in brackets, no other.`,
      `- ${runs} combinations of two or three variants, chosen at random (seed ${seed}): no MUST fails on any, and nothing stays unverified.`,
      '- A second service written independently of the first, and the same interface on Express 5 and Fastify 5: conformant; each framework with the usual mistakes: caught.',
      '- Each requirement is the only one that fails on at least one service: none could be left out unnoticed.',
    ].join('\n'),
    '## What each requirement catches',
    'In brackets: what fails besides, because the same fault breaks that sentence as well.',
    ...requirements.map(({ slug, level, sentence }) => {
      const caught = brokenServices.filter((one) => one.slug === slug);
      const rows = caught.map(({ name, also }) => `- ${name}${also.length ? ` (${also.join(', ')})` : ''}`);
      return `### ${slug} (${level})\n\n${sentence}\n\n${rows.join('\n')}`;
    }),
    '## What only the thorough run finds',
    `${deepServices.length} services whose fault needs depth: more users than a page, more requests at once than a pool, other data, other clients, a pause, a way around the guard. The default run passes each. \`npm run test:thorough\` measures by how many seeds the thorough run tells it by the requirement that is named here, and which request shows it, in the median; it explores only the topics that can find it, as many rounds of them as a run has. \`npm test\` tries one in nine, by one seed. ${measured.length} are measured so far:`,
    [
      '| fault | requirement | the run | the thorough run | requests until found |',
      '| --- | --- | --- | --- | --- |',
      ...measured.map(
        ({ slug, name, row }) =>
          `| ${escaped(name)} | ${slug} | passes | ${row.found} of ${row.of} seeds | ${row.requests} |`,
      ),
    ].join('\n'),
    '## What each freedom tolerates',
    ...freedoms.map(({ slug, sentence }) => {
      const used = variants.filter(({ freedom }) => freedom === slug);
      const rows = used.map(({ name, breaks }) => `- ${name}${breaks.length ? ` (${breaks.join(', ')})` : ''}`);
      return `### ${slug}\n\n${sentence}\n\n${rows.join('\n')}`;
    }),
  ]
    .join('\n\n')
    .concat('\n');
}

/** A text in a cell of a table. */
const escaped = (text: string) => text.replaceAll(/[\\|<>*_`[\]~$]/g, (sign) => (sign === '|' ? '\\|' : `\\${sign}`));
