import type { Freedom } from '../specs/freedoms.ts';
import type { Requirement } from '../src/requirement/requirement.ts';
import type { Broken } from '../tests/services/broken/broken.ts';
import type { Variant } from '../tests/services/variants/variant.ts';

interface Proof {
  brokenServices: Broken[];
  variants: Variant[];
  /** Combinations of variants tried in the self-tests, and their seed. */
  runs: number;
  seed: number;
}

/** Renders, as Markdown, which broken services each requirement catches and which variants each freedom tolerates. */
export function renderProof(requirements: Requirement[], freedoms: Freedom[], proof: Proof): string {
  const { brokenServices, variants, runs, seed } = proof;
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
