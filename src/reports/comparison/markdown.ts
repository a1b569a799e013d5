import { code, prose, table } from '../markdown.ts';
import { changeList, changesText } from '../since.ts';
import { type Comparison, failedRows, outcomeLook } from './comparison.ts';

/** The comparison as Markdown: the runs, and what fails in one of them. Reports are not trusted: what they say is text. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { reports, facts, changes } = comparison;
  const names = comparison.names.map(prose);
  const failed = failedRows(comparison).map(({ name, level, values }) => {
    const looks = values.map((one, at) => outcomeLook(one, reports[at]));
    // A pipe would end the cell, also within code.
    return [level, code(name).replaceAll('|', '\\u007c'), ...looks.map(({ symbol, words }) => `${symbol} ${words}`)];
  });
  const parts = [
    '# Conformance comparison',
    changes ? `From ${names.join(' to ')}: ${changesText(changes)}` : '',
    changes ? changeList(changes) : '',
    table(
      ['', ...names],
      facts.map(({ name, values }) => [name, ...values.map(prose)]),
    ),
    failed.length > 0 ? table(['level', 'requirement', ...names], failed) : 'No requirement fails.',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
