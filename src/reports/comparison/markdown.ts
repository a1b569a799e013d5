import { verdictText } from '../report.ts';
import { changeRows, changesText } from '../since.ts';
import { code, prose } from '../summary.ts';
import { type Comparison, outcomeLook } from './comparison.ts';

/** The comparison as Markdown. Reports are not trusted: what they say is inline code that nothing in it can end. */
export function comparisonMarkdown(comparison: Comparison): string {
  return [
    '# Conformance comparison',
    ...comparison.notices.map((notice) => `> ${code(notice)}`),
    ...changes(comparison),
    overview(comparison),
    '## Differences',
    ...requirements(comparison, true),
    '## The same everywhere',
    ...requirements(comparison, false),
    freedoms(comparison),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** Of two reports: what is different in the second. */
function changes({ changes, names }: Comparison): string[] {
  if (changes === undefined) return [];
  const rows = changeRows(changes).map(({ name, slugs }) => `- ${name}: ${slugs.map(code).join(', ')}`);
  return [`## From ${code(names[0] ?? '')} to ${code(names[1] ?? '')}`, `${changesText(changes)}`, rows.join('\n')];
}

function overview({ reports, names, links, facts, totals }: Comparison): string {
  const rows = [
    ['verdict', ...reports.map((report) => prose(verdictText(report)))],
    ...(links.some(Boolean)
      ? [['report', ...names.map((_, at) => (links[at] ? `[report.html](<${links[at]}>)` : ''))]]
      : []),
    ...facts.map(({ name, values }) => [
      name,
      ...values.map((value) => (typeof value === 'string' ? cell(value) : value)),
    ]),
    ...totals.map(({ name, values }) => [name, ...values]),
  ];
  return table(['', ...names.map(cell)], rows);
}

function requirements({ reports, names, chapters }: Comparison, differing: boolean): string[] {
  const tables = chapters.flatMap(({ title, rows }) => {
    const shown = rows.filter(({ differs }) => differs === differing);
    if (shown.length === 0) return [];
    return [
      `### ${code(title)}`,
      table(
        ['level', 'requirement', ...names.map(cell)],
        shown.map(({ level, name, sentence, values }) => [
          level,
          `${cell(name)}${sentence === '' ? '' : `<br>${cell(sentence)}`}`,
          ...values.map((value, index) => {
            const { symbol, words } = outcomeLook(value, reports[index]?.scope.strict === true);
            return `${symbol} ${words}`;
          }),
        ]),
      ),
    ];
  });
  return tables.length === 0 ? ['None.'] : tables;
}

function freedoms({ names, freedoms }: Comparison): string {
  if (freedoms.length === 0) return '';
  const rows = freedoms.map(({ name, values }) => [
    cell(name),
    ...values.map((seen) => (seen.length === 0 ? 'not seen' : seen.map(cell).join(', '))),
  ]);
  return ['## Freedoms', table(['freedom', ...names.map(cell)], rows)].join('\n\n');
}

function table(head: string[], rows: (string | number)[][]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** In a table a pipe ends the cell, also within code: it is shown as an escape, as control characters are. */
function cell(text: string): string {
  return code(text).replaceAll('|', '\\u007c');
}
