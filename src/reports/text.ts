/**
 * What nobody sees, or what turns or hides what stands beside it: controls, formats, what is not assigned, half a pair.
 */
const UNSEEN = /(?![\t\n])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What a runner of a CI takes for a command wherever it stands in a line: `##[`, `##vso[`, `##teamcity[`. */
const COMMAND = /##(?=[\w.-]*\[)/g;

const escaped = (character: string) =>
  character === '\r'
    ? '\\r'
    : character.replace(
        /[\s\S]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );

/**
 * Makes a text from outside harmless where people and programs read it: what can't be seen becomes an escape, and
 * nothing begins a command of a CI, which its logs run wherever they show it, be it in a report.
 */
export function inert(text: string): string {
  return withoutUnseen(text)
    .replace(COMMAND, '\\u0023#')
    .replace(/^([\t ]*):(?=:)/gm, '$1\\u003a');
}

/** A value as JSON whose text is as harmless: its readers find the same value. */
export const inertJson = (value: unknown, indent = 2) =>
  `${withoutUnseen(JSON.stringify(value, null, indent)).replace(COMMAND, '\\u0023#')}\n`;

/** Looks at what is not plain ASCII alone: in a long text that takes a tenth of the time. */
const withoutUnseen = (text: string) =>
  text.replace(/[^\t\n -~]+/g, (part) => part.replace(UNSEEN, escaped));

/** The same in one line: nothing that a target sends begins a line of a terminal, or a command of a CI. */
export const inertLine = (text: string) => inert(text).replaceAll('\n', '\\n');

/** A text as one word of a POSIX shell. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** How many of a long row of names are named. */
const NAMED = 6;

/** `1, 2, 3`, or the first of them and how many more there are, at most `most` items. */
export function some(names: readonly string[], most = NAMED): string {
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `2026-01-02 03:04 UTC`. */
export const dateText = (start: string) => `${start.slice(0, 10)} ${start.slice(11, 16)} UTC`;

/** Milliseconds as seconds: `1.2 s`. */
export const secondsText = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** A sentence of ours that may name what a file says: Markdown and HTML in it stay text. */
export const prose = (text: string) => inertLine(text).replace(/[\\`*_[\]<>|~&]/g, '\\$&');

/** Inline code that no content can end: Markdown and HTML in it stay text. */
export function code(text: string): string {
  const line = inert(text).replace(/\s*\n\s*/g, ' ');
  const fence = fenceOf(line, 1);
  return `${fence} ${line} ${fence}`;
}

/** A block of code that no content can end. */
export function fenced(text: string): string {
  const fence = fenceOf(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

/** More backticks than stand together in a text, and no fewer than some. */
function fenceOf(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least));
}

/** A list, an item a line. */
export const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');

/** A table of cells that hold no pipe. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** A text that is HTML already: it is put into another as it is. */
export class Html extends String {}

/**
 * What may stand in a template: texts are escaped, lists are put together, and what is false or nothing is left out.
 */
export type Value = Html | string | number | boolean | null | undefined | readonly Value[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes HTML of a template, such as html`<p>${text}</p>`. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(
    strings
      .map((text, index) => text + (index < values.length ? written(values[index]) : ''))
      .join(''),
  );

function written(value: Value): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(written).join('');
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  return `${value}`.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

export type Room = ReturnType<typeof roomOf>;

/**
 * Keeps a file small whatever a target sends: gives each part as long as there is room for it, and else what stands in
 * its place. `bytes` is all the room, `size` what a part takes of it.
 */
export function roomOf(bytes: number) {
  let left = bytes;
  return <Part, Other>(
    part: Part,
    otherwise: Other,
    size = Buffer.byteLength(String(part)),
  ): Part | Other => {
    if (size > left) return otherwise;
    left -= size;
    return part;
  };
}
