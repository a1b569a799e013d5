import { verdictText } from '../report.ts';
import { code, prose } from '../summary.ts';
import { type Comparison, outcomeLook } from './comparison.ts';

/** The comparison as Markdown. Reports are not trusted: what they say is inline code that nothing in it can end. */
export function comparisonMarkdown(comparison: Comparison): string {
  return [
    '# Conformance comparison',
    ...comparison.notices.map((notice) => `> ${code(notice)}`),
    overview(comparison),
    '## Requirements',
    ...requirements(comparison),
    freedoms(comparison),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function overview({ reports, names, facts, totals }: Comparison): string {
  const rows = [
    ['verdict', ...reports.map((report) => prose(verdictText(report)))],
    ...facts.map(({ name, values }) => [
      name,
      ...values.map((value) => (typeof value === 'string' ? cell(value) : value)),
    ]),
    ...totals.map(({ name, values }) => [name, ...values]),
  ];
  return table(['', ...names.map(cell)], rows);
}

function requirements({ reports, names, chapters }: Comparison): string[] {
  return chapters.flatMap(({ title, rows }) => [
    `### ${code(title)}`,
    table(
      ['level', 'requirement', ...names.map(cell)],
      rows.map(({ level, name, sentence, values }) => [
        level,
        `${cell(name)}<br>${cell(sentence)}`,
        ...values.map((value, index) => {
          const { symbol, words } = outcomeLook(value, reports[index]?.scope.strict === true);
          return `${symbol} ${words}`;
        }),
      ]),
    ),
  ]);
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
