import { inert, inertLine } from './text.ts';

/** A sentence of ours that may name what a file says: Markdown and HTML in it stay text. */
export function prose(text: string): string {
  return inertLine(text).replace(/[\\`*_[\]<>|~&]/g, '\\$&');
}

/** Inline code that no content can end: Markdown and HTML in it stay text. */
export function code(text: string): string {
  const line = inert(text).replace(/\s*\n\s*/g, ' ');
  const fence = '`'.repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A block of code that no content can end. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** What is shown when a reader asks for it. */
export function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** A list, an item a line. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** A table of cells that hold no pipe. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
