import type { Choice } from '../specs/choices.ts';
import { OPERATIONS } from '../src/requirement/case.ts';
import {
  casesOf,
  type Needs,
  type Part,
  type Requirement,
  type Source,
} from '../src/requirement/requirement.ts';
import { isNeeded, type Thorough } from '../src/thorough/rounds.ts';
import type { Broken } from '../tests/services/broken/broken.ts';
import type { Deep } from '../tests/services/deep/deep.ts';
import type { Variant } from '../tests/services/variants/variant.ts';
import { anchorOf, renderInterface } from './render-interface.ts';

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
  version: string;
}

/** The pages by their paths in docs/: an index with the interface, and one page for each chapter. */
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
    `### [${title}](${pathOf(title)})`,
    requirements
      .filter(({ chapter }) => chapter === title)
      .map(lineOf)
      .join('\n'),
  ]);
  return [
    '# Requirements',
    MADE_BY,
    `This page has the rules of the User Management Service interface, [the requirements](#the-requirements) that follow from them, [the freedoms](#what-is-free) that no requirement may restrict, and the policy for [changes of the set](#when-the-set-changes). This is version ${version} of the set. Every report names its version.`,
    '## The interface',
    'The interface in our own words. Each rule has a number, and below it the requirements that come from it. Everything that a section leaves open is free.',
    'For generators, mocks and validators, `schemas/openapi.yaml` has the interface as OpenAPI 3.1. It leaves the same things open. In the package it is `user-management-conformance/schemas/openapi.yaml`.',
    ...renderInterface(requirements),
    '## The requirements',
    'A failed **MUST** means that the service does not conform. A failed **SHOULD** is a warning; only in strict mode does it fail the run. Every run checks all requirements. The [thorough run](thorough.md) sends further, random requests for a requirement marked *deeper*.',
    'Each requirement has a guide in `docs/guides/`: why it matters, the usual mistake, how to fix it in two stacks, and the freedoms that it leaves. `report.html` shows the guide of each failure. `explain` prints it in a terminal:',
    '```sh\nnpm run conformance -- explain list.total-integer\n```',
    `Test services prove the requirements. ${brokenServices.length} broken services have one fault each and must fail exactly the requirements that the fault violates. Every requirement is the only one to fail on at least one of them. ${variants.length} conforming services use the freedoms below and must not fail any MUST. Only a thorough run finds the faults of ${deepServices.length} further services. \`npm test\` also judges a service for each case that handles just that case wrong.`,
    ...chapters,
    '## What is free',
    'The interface document calls these "not shown", and no standard says more. The suite never asserts them.',
    ...choices.map((choice) => renderChoice(choice, variants)),
    ...CHANGES,
  ];
}

/** The policy for changes of the set. */
const CHANGES = [
  '## When the set changes',
  'The set of requirements has its own version, `MAJOR.MINOR.PATCH`, in every report as `suite.requirementSet`. It says how a new version can change the verdict on an unchanged service:',
  [
    '| part | changes | a default run | a strict run |',
    '| --- | --- | --- | --- |',
    '| patch | wording; a fix of a check that failed conforming services | can only begin to pass | can only begin to pass |',
    '| minor | new SHOULDs; a choice is recognised; a MUST becomes a SHOULD | can only begin to pass | can begin to fail |',
    '| major | a new MUST; a MUST that catches more; a slug that is renamed or removed | can begin to fail | can begin to fail |',
  ].join('\n'),
  [
    '- The package has a version of its own. A release raises it by at least the same part.',
    '- A new MUST is a SHOULD for at least one release before, if possible. A slug is never reused. [CHANGELOG.md](../CHANGELOG.md) lists every change.',
    '- Known failures are the one exception to "can only begin to pass": a fix can make an entry pass, which fails the job until you remove the entry.',
  ].join('\n'),
  'Pin the suite in CI: to a major version for default runs, to an exact one for strict runs. To move to a new major version, run it once and add the new failures to your [known failures](judging-your-service.md#start-with-known-failures), each with a reason and a last day. Then pin it, and fix them one by one.',
];

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
  { choices, thorough }: Declarations,
  proof: Proof,
): string[] {
  const { slug, level, sentence, source } = requirement;
  const mark = isExplored(requirement, thorough) ? ', *deeper*' : '';
  return [
    `## <a id="${anchorOf(slug)}"></a>\`${slug}\``,
    `**${sentence}** ${level}, ${link(source)}${mark}`,
    [
      `[Guide](../guides/${slug}.md): why it matters, the usual mistake, how to fix it.`,
      renderCases(requirement),
      renderFaults(slug, proof),
      ...renderFreedoms(slug, choices, proof.variants),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
  ];
}

/** Whether a thorough run judges a requirement by more than the default run does. */
const isExplored = (requirement: Requirement, { cases, sequences }: Thorough): boolean =>
  [...cases, ...sequences].some((kind) => isNeeded(kind, requirement));

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

/** A rule of the interface leads to its place on the index, a section of a standard to its text. */
function link({ text, url }: Source): string {
  const [, rule] = /^interface, rule (.+)$/.exec(text) ?? [];
  return `[${text}](${rule ? `../requirements.md#${rule}` : url})`;
}
