import { judges } from '../src/conduct/drawn.ts';
import type { Topic } from '../src/conduct/topic.ts';
import type { Level, Requirement, Source } from '../src/requirement/requirement.ts';
import type { Choice } from './choices.ts';

/** Renders the list of requirements and choices as Markdown, for the people who implement the interface. */
export function renderRequirements(
  requirements: Requirement[],
  choices: Choice[],
  topics: Topic[],
  version: string,
): string {
  const chapters = [...new Set(requirements.map(({ chapter }) => chapter))];
  return [
    '# Requirements',
    '<!-- Made by `npm run docs` from the declarations in specs/. -->',
    `What a service must do to conform to the User Management Service interface, what it should do, and what it may do as it likes. This is version ${version} of the set; every report names the version that it judged by, and [its rules](requirement-set.md) say when it changes.`,
    'A failed **MUST** means that the service does not conform. A failed **SHOULD** is a warning; only in strict mode does it fail the run.',
    'Every run judges all of them. Where it says *deeper*, the [thorough run](thorough.md) goes on with random cases.',
    ...chapters.flatMap((chapter) =>
      renderChapter(
        chapter,
        requirements.filter((one) => one.chapter === chapter),
        topics,
      ),
    ),
    '## What is free',
    'The interface document says of these that they are "not shown", and no standard speaks either. None is ever asserted.',
    ...choices.map(
      ({ slug, sentence, because, source }) => `- **${sentence}** ${because}  \n  \`${slug}\` (${source})`,
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderChapter(title: string, requirements: Requirement[], topics: Topic[]): string[] {
  const level = (name: Level, verb: string) => {
    const rows = requirements.filter((one) => one.level === name);
    return rows.length === 0 ? [] : [`### ${verb}`, rows.map((row) => renderRow(row, topics)).join('\n')];
  };
  return [`## ${title}`, ...level('MUST', 'Must'), ...level('SHOULD', 'Should')];
}

function renderRow(requirement: Requirement, topics: Topic[]): string {
  const { slug, sentence, source } = requirement;
  const deeper = topics.some((topic) => judges(requirement, topic)) ? ', *deeper*' : '';
  return `- <a id="${slug.replace('.', '-')}"></a>**${sentence}**  \n  \`${slug}\` (${link(source)})${deeper}`;
}

/** A rule of the interface leads to its place in interface.md, a section of a standard to its text. */
function link({ text, url }: Source): string {
  const [, rule] = /^interface, rule (.+)$/.exec(text) ?? [];
  return `[${text}](${rule ? `interface.md#${rule}` : url})`;
}
