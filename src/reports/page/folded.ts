import { counted } from '../../verdict/verdict.ts';
import { type Html, html, type Value } from '../html.ts';

/** Lines that stand open, and characters from which on no further one does; the rest is folded. */
const [LINES, CHARACTERS] = [14, 900];

/** Lines in which some values are marked; what is long is folded behind its beginning. */
export function foldedLines(lines: readonly string[], marked: ReadonlySet<string> = new Set()): Html {
  const open = lines.filter((_, at) => at < LINES && lines.slice(0, at).join('').length < CHARACTERS);
  const rest = lines.slice(open.length);
  const text = (some: readonly string[]) => some.map((line, at) => html`${at > 0 && '\n'}${markedLine(line, marked)}`);
  return html`<pre>${text(open)}</pre>${rest.length > 0 && html`<details><summary class="note">${counted(rest.length, 'more line')}</summary><pre>${text(rest)}</pre></details>`}`;
}

/** A line whose value, after the name of its member if it has one, is marked where it is one of these. */
function markedLine(line: string, marked: ReadonlySet<string>): Value {
  if (marked.has(/^\d{3}(?= |$)/.exec(line)?.[0] ?? '')) return html`<mark>${line}</mark>`;
  const [, before = '', value = '', comma = ''] = /^(\s*(?:"(?:[^"\\]|\\.)*": )?)(.*?)(,?)$/s.exec(line) ?? [];
  return marked.has(value) ? html`${before}<mark>${value}</mark>${comma}` : line;
}

/** Values of a list, one a line: the first of them, and the others folded. */
export function foldedList(values: readonly Value[]): Html {
  const [first, rest] = [values.slice(0, 3), values.slice(3)];
  const row = (value: Value) => html`<span class="value">${value}</span>`;
  return html`${first.map(row)}${rest.length > 0 && html`<details><summary class="note">${rest.length} more</summary>${rest.map(row)}</details>`}`;
}
