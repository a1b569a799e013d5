import type { Level, Requirement, Source } from '../src/requirement/requirement.ts';
import type { Thorough } from '../src/thorough/explore.ts';
import type { Choice } from './choices.ts';

/** Renders the requirements and choices as Markdown, for implementers of the interface. */
export function renderRequirements(
  requirements: Requirement[],
  choices: Choice[],
  thorough: Thorough,
  version: string,
): string {
  const isDeeper = (requirement: Requirement) => isExplored(requirement, thorough);
  const chapters = [...new Set(requirements.map(({ chapter }) => chapter))];
  return [
    '# Requirements',
    '<!-- Made by `npm run docs` from the declarations in specs/. -->',
    `The requirements of the User Management Service interface: what a service must do, what it should do, and what is free. This is version ${version} of the set. Every report names its version; [its rules](requirement-set.md) say when it changes.`,
    'A failed **MUST** means that the service does not conform. A failed **SHOULD** is a warning; only in strict mode does it fail the run.',
    'Every run judges all of them. The [thorough run](thorough.md) judges a requirement marked *deeper* by further, random requests.',
    ...chapters.flatMap((chapter) =>
      renderChapter(
        chapter,
        requirements.filter((one) => one.chapter === chapter),
        isDeeper,
      ),
    ),
    '## What is free',
    'The interface document calls these "not shown", and no standard says more. The suite never asserts them.',
    ...choices.map(
      ({ slug, sentence, because, source }) =>
        `- **${sentence}** ${because}  \n  \`${slug}\` (${source})`,
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Whether a thorough run judges a requirement by more than the default run does. */
function isExplored({ slug, needs = [] }: Requirement, { kinds, sequences }: Thorough): boolean {
  if (needs === 'everything' || slug === sequences.slug) return true;
  if (kinds.some(({ slugs }) => slugs.includes(slug))) return true;
  // Sequences need users.
  return needs.some((part) => part === 'users' || kinds.some((kind) => kind.part === part));
}

function renderChapter(
  title: string,
  requirements: Requirement[],
  isDeeper: (requirement: Requirement) => boolean,
): string[] {
  const level = (name: Level, verb: string) => {
    const rows = requirements.filter((one) => one.level === name);
    return rows.length === 0
      ? []
      : [`### ${verb}`, rows.map((row) => renderRow(row, isDeeper(row))).join('\n')];
  };
  return [`## ${title}`, ...level('MUST', 'Must'), ...level('SHOULD', 'Should')];
}

function renderRow({ slug, sentence, source }: Requirement, isDeeper: boolean): string {
  const anchor = `<a id="${slug.replace('.', '-')}"></a>`;
  const mark = isDeeper ? ', *deeper*' : '';
  return `- ${anchor}**${sentence}**  \n  \`${slug}\` (${link(source)})${mark}`;
}

/** A rule of the interface leads to its place in interface.md, a section of a standard to its text. */
function link({ text, url }: Source): string {
  const [, rule] = /^interface, rule (.+)$/.exec(text) ?? [];
  return `[${text}](${rule ? `interface.md#${rule}` : url})`;
}
