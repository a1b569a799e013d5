import type { Choice } from '../specs/choices.ts';
import { OPERATIONS } from '../src/requirement/case.ts';
import type { Guide, Guides } from '../src/requirement/guide.ts';
import {
  casesOf,
  type Needs,
  type Part,
  type Requirement,
  type Source,
} from '../src/requirement/requirement.ts';
import type { Thorough } from '../src/thorough/explore.ts';
import type { Broken } from '../tests/services/broken/broken.ts';
import type { Deep } from '../tests/services/deep/deep.ts';
import type { Variant } from '../tests/services/variants/variant.ts';

/** The services that prove the requirements. */
export interface Proof {
  brokenServices: readonly Broken[];
  /** Services whose fault only a thorough run shows. */
  deepServices: readonly Deep[];
  variants: readonly Variant[];
}

/** The declarations that the pages are made of. */
export interface Declarations {
  requirements: readonly Requirement[];
  choices: readonly Choice[];
  thorough: Thorough;
  guides: Guides;
  version: string;
}

/** The pages by their paths in docs/: an index with the freedoms, and one page for each chapter. */
export function renderRequirements(
  declarations: Declarations,
  proof: Proof,
): Record<string, string> {
  const titles = [...new Set(declarations.requirements.map(({ chapter }) => chapter))];
  const chapters = titles.map((title) => [
    pathOf(title),
    joined(renderChapter(title, declarations, proof)),
  ]);
  return {
    'requirements.md': joined(renderIndex(titles, declarations, proof)),
    ...Object.fromEntries(chapters),
  };
}

/** The anchor of a requirement on the index and on the page of its chapter. */
export const anchorOf = (slug: string): string => slug.replace('.', '-');

const pathOf = (chapter: string): string =>
  `requirements/${chapter.toLowerCase().replaceAll(' ', '-')}.md`;

const joined = (parts: readonly string[]): string => parts.join('\n\n').concat('\n');

const MADE_BY =
  '<!-- Made by `npm run docs` from the declarations in specs/ and the services in tests/services/. -->';

function renderIndex(
  titles: readonly string[],
  { requirements, choices, version }: Declarations,
  { brokenServices, deepServices, variants }: Proof,
): string[] {
  const lineOf = ({ slug, chapter, level, sentence }: Requirement) =>
    `- <a id="${anchorOf(slug)}"></a>[\`${slug}\`](${pathOf(chapter)}#${anchorOf(slug)}) ${level}: ${sentence}`;
  const chapters = titles.flatMap((title) => [
    `## [${title}](${pathOf(title)})`,
    requirements
      .filter(({ chapter }) => chapter === title)
      .map(lineOf)
      .join('\n'),
  ]);
  return [
    '# Requirements',
    MADE_BY,
    `The requirements of the User Management Service interface: what a service must do, what it should do, and what is free. This is version ${version} of the set. Every report names its version; [its rules](requirement-set.md) say when it changes.`,
    'Each one has a guide: why it matters, the usual mistake, how to fix it in two stacks, and the freedoms that it leaves. `explain` prints the same guide in a terminal, and the report shows that of each failure:',
    '```sh\nnpm run conformance -- explain list.total-integer\n```',
    'A failed **MUST** means that the service does not conform. A failed **SHOULD** is a warning; only in strict mode does it fail the run.',
    'Every run judges all of them. The [thorough run](thorough.md) judges a requirement marked *deeper* by further, random requests.',
    `Each requirement is proven by services. ${brokenServices.length} broken services have one fault each: they fail the requirement named and nothing that the fault does not break, and each requirement is the only one that fails on at least one of them. ${variants.length} conforming variants use the freedoms below: on them no MUST fails and nothing stays unverified. ${deepServices.length} more services have a fault that only a thorough run finds. \`npm test\` judges all broken services and all variants, and for each case a service that does just that case wrong.`,
    ...chapters,
    '## What is free',
    'The interface document calls these "not shown", and no standard says more. The suite never asserts them.',
    ...choices.map((choice) => renderChoice(choice, variants)),
  ];
}

function renderChapter(title: string, declarations: Declarations, proof: Proof): string[] {
  const inChapter = declarations.requirements.filter(({ chapter }) => chapter === title);
  const contents = inChapter.map(
    ({ slug, level, sentence }) => `- [\`${slug}\`](#${anchorOf(slug)}) ${level}: ${sentence}`,
  );
  return [
    `# ${title}`,
    MADE_BY,
    'From [the requirements](../requirements.md).',
    contents.join('\n'),
    ...inChapter.flatMap((requirement) => renderRequirement(requirement, declarations, proof)),
  ];
}

function renderRequirement(
  requirement: Requirement,
  { choices, thorough, guides }: Declarations,
  proof: Proof,
): string[] {
  const { slug, level, sentence, source } = requirement;
  const mark = isExplored(requirement, thorough) ? ', *deeper*' : '';
  return [
    `## <a id="${anchorOf(slug)}"></a>\`${slug}\``,
    `**${sentence}** ${level}, ${link(source)}${mark}`,
    ...renderGuide(guides[slug]),
    '<details><summary>Proof: cases and services</summary>',
    [
      renderCases(requirement),
      renderFaults(slug, proof),
      ...renderFreedoms(slug, choices, proof.variants),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    '</details>',
  ];
}

function renderGuide(guide: Guide | undefined): string[] {
  if (guide === undefined) return [];
  const { why, mistake, fixes, freedoms } = guide;
  return [
    `**Why it matters.** ${why}`,
    `**The usual mistake.** ${mistake}`,
    ...fixes.flatMap(({ stack, language, code }) => [
      `**Fix in ${stack}:**`,
      `\`\`\`${language}\n${code}\n\`\`\``,
    ]),
    `**Freedoms.** ${freedoms.join(' ')}`,
  ];
}

/** Whether a thorough run judges a requirement by more than the default run does. */
function isExplored({ slug, needs = [] }: Requirement, { kinds, sequences }: Thorough): boolean {
  if (needs === 'everything' || slug === sequences.slug) return true;
  if (kinds.some(({ slugs }) => slugs.includes(slug))) return true;
  // Sequences need users.
  return needs.some((part) => part === 'users' || kinds.some((kind) => kind.part === part));
}

/** Characters of a list of names, after which the rest is counted. */
const MOST_CASES = 480;
const MOST_NAME = 110;

const EACH = 'Each operation';

/** The cases by the operations that they change, such as `Each operation: an empty header`. */
function renderCases(requirement: Requirement): string {
  const cases = casesOf(requirement);
  if (cases.length === 0)
    return `Cases: none of its own. It judges ${judgedBy(requirement.needs)}.`;
  const operationsByName = new Map<string, Set<string>>();
  for (const { name, operation } of cases) {
    const operations = operationsByName.get(name) ?? new Set();
    operationsByName.set(name, operations.add(operation));
  }
  const namesByOperations = new Map<string, string[]>([[EACH, []]]);
  for (const [name, operations] of operationsByName) {
    const isEach = operations.size === OPERATIONS.length;
    const heading = isEach ? EACH : [...operations].join(' and ');
    namesByOperations.set(heading, [...(namesByOperations.get(heading) ?? []), name]);
  }
  const groups = [...namesByOperations].filter(([, names]) => names.length > 0);
  const lists = groups.map(
    ([heading, names]) => `${heading}: ${firstOf(names, MOST_CASES / groups.length)}`,
  );
  return `Cases (${cases.length}): ${lists.join('. ')}.`;
}

const JUDGED: Record<Part, string> = {
  list: 'the lists',
  users: 'the users',
  'plain users': 'the plain users',
  concurrency: 'the concurrent requests',
  end: 'the last requests',
};

function judgedBy(needs: Needs | undefined = 'everything'): string {
  if (needs === 'everything') return 'every response of a run';
  if (needs.length === 0) return 'the base address';
  return `${needs.map((part) => JUDGED[part]).join(', ')} of a run`;
}

const SHOWN_FAULTS = 3;

/** How many broken services fail by a requirement, and some of them. */
function renderFaults(slug: string, { brokenServices, deepServices }: Proof): string {
  const names = brokenServices.filter((service) => service.slug === slug).map(({ name }) => name);
  const deep = deepServices.filter((service) => service.slug === slug).length;
  const shown = names.slice(0, SHOWN_FAULTS).map(shortName);
  const more = names.length - shown.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  const found = deep > 0 ? ` The thorough run finds ${deep} further ${plural(deep, 'fault')}.` : '';
  return `Fails for ${names.length} broken ${plural(names.length, 'service')}: ${shown.join('; ')}${rest}.${found}`;
}

/** The freedoms that a requirement leaves, and the conforming services that fail a recommendation. */
function renderFreedoms(
  slug: string,
  choices: readonly Choice[],
  variants: readonly Variant[],
): string[] {
  const free = choices
    .filter(({ limits }) => limits.includes(slug))
    .map((choice) => {
      const count = variants.filter((variant) => variant.choice === choice.slug).length;
      return `[${choice.slug}](../requirements.md#free-${choice.slug}) (${count})`;
    });
  const failing = variants.filter(({ breaks }) => breaks.includes(slug)).map(({ name }) => name);
  return [
    ...(free.length > 0 ? [`Tolerates conforming variants of: ${free.join(', ')}.`] : []),
    ...(failing.length > 0
      ? [
          `Warns about ${failing.length} conforming ${plural(failing.length, 'variant')}: ${firstOf(failing, MOST_CASES / 2)}.`,
        ]
      : []),
  ];
}

function renderChoice(
  { slug, sentence, because, source }: Choice,
  variants: readonly Variant[],
): string {
  const names = variants.filter(({ choice }) => choice === slug).map(({ name }) => name);
  return [
    `- <a id="free-${slug}"></a>**${sentence}** ${because}  `,
    `  \`${slug}\` (${source})`,
    `  - ${names.length} conforming ${plural(names.length, 'variant')}: ${firstOf(names, MOST_CASES / 2)}.`,
  ].join('\n');
}

/** As many names as have room, and how many there are besides. */
function firstOf(names: readonly string[], room: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const name of names.map(shortName)) {
    length += name.length + 2;
    if (length > room && shown.length > 0) break;
    shown.push(name);
  }
  const more = names.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** A name as text in Markdown, cut if it is long. */
function shortName(name: string): string {
  const cut = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME).trimEnd()} …` : name;
  return cut.replaceAll(/[\\<>*_`[\]~$&]/g, (sign) => `\\${sign}`);
}

const plural = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** A rule of the interface leads to its place in interface.md, a section of a standard to its text. */
function link({ text, url }: Source): string {
  const [, rule] = /^interface, rule (.+)$/.exec(text) ?? [];
  return `[${text}](${rule ? `../interface.md#${rule}` : url})`;
}
