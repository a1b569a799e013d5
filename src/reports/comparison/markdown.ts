import { code, prose, table } from '../markdown.ts';
import { chaptersOf, verdictText } from '../report.ts';
import { changeList, changesText } from '../since.ts';
import { type Comparison, outcomeLook } from './comparison.ts';

/** The comparison as Markdown. Reports are not trusted: what they say is inline code that nothing in it can end. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { notices, changes, names, choices } = comparison;
  const [first = '', second = ''] = names.map(code);
  return [
    '# Conformance comparison',
    ...notices.map((notice) => `> ${code(notice)}`),
    ...(changes ? [`## From ${first} to ${second}`, changesText(changes), changeList(changes)] : []),
    overview(comparison),
    '## Differences',
    ...requirements(comparison, true),
    '## The same everywhere',
    ...requirements(comparison, false),
    ...(choices.length === 0 ? [] : ['## Choices', choiceTable(comparison)]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function overview({ reports, names, links, facts }: Comparison): string {
  return table(
    ['', ...names.map(cell)],
    [
      ['verdict', ...reports.map((report) => prose(verdictText(report)))],
      ...(links.some(Boolean)
        ? [['report', ...names.map((_, at) => (links[at] ? `[report.html](<${links[at]}>)` : ''))]]
        : []),
      ...facts.map(({ name, values }) => [name, ...values.map((one) => (typeof one === 'string' ? cell(one) : one))]),
    ],
  );
}

function requirements({ reports, names, requirements: all }: Comparison, differing: boolean): string[] {
  const chapters = chaptersOf(all.filter(({ differs }) => differs === differing)).flatMap(([title, rows]) => [
    `### ${code(title)}`,
    table(
      ['level', 'requirement', ...names.map(cell)],
      rows.map(({ level, name, sentence, values }) => [
        level,
        `${cell(name)}${sentence === '' ? '' : `<br>${cell(sentence)}`}`,
        ...reports.map((report, at) => {
          const { symbol, words } = outcomeLook(values[at], report);
          return `${symbol} ${words}`;
        }),
      ]),
    ),
  ]);
  return chapters.length === 0 ? ['None.'] : chapters;
}

function choiceTable({ names, choices }: Comparison): string {
  const rows = choices.map(({ name, values }) => [
    cell(name),
    ...values.map((seen) => (seen.length === 0 ? 'not seen' : seen.map(cell).join(', '))),
  ]);
  return table(['choice', ...names.map(cell)], rows);
}

/** In a table a pipe ends the cell, also within code: it is shown as an escape, as control characters are. */
function cell(text: string): string {
  return code(text).replaceAll('|', '\\u007c');
}
