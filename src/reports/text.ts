/**
 * Replaces invisible characters with escapes, and disables commands of CI runners, which run them
 * wherever a log or a report shows them. For all text from outside that people or programs read.
 */
export function sanitize(text: string): string {
  return escapeInvisible(text)
    .replace(CI_COMMAND, '\\u0023#')
    .replace(/^([\t ]*):(?=:)/gm, '$1\\u003a');
}

/** Returns a sanitized text on one line, so that no part of it begins a line. */
export const sanitizeLine = (text: string): string => sanitize(text).replaceAll('\n', '\\n');

/** Returns a value as sanitized JSON. Parsing it returns the same value. */
export const sanitizedJson = (value: unknown, indent = 2): string =>
  `${escapeInvisible(JSON.stringify(value, null, indent)).replace(CI_COMMAND, '\\u0023#')}\n`;

/**
 * Characters that are invisible, or that reorder or hide the text beside them: controls, formats,
 * unassigned code points and unpaired surrogates.
 */
const INVISIBLE = /(?![\t\n])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Commands that a CI runner finds anywhere in a line: `##[`, `##vso[`, `##teamcity[`. */
const CI_COMMAND = /##(?=[\w.-]*\[)/g;

/** Searches only the parts that are not plain ASCII: a long text takes a tenth of the time. */
const escapeInvisible = (text: string): string =>
  text.replace(/[^\t\n -~]+/g, (part) => part.replace(INVISIBLE, escapeCharacter));

function escapeCharacter(character: string): string {
  if (character === '\r') return '\\r';
  return character.replace(
    /[\s\S]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns a text as one word of a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The most names in an abbreviated list, unless a caller sets its own limit. */
const MAX_NAMES = 6;

/** Returns `1, 2, 3`; if there are more than `limit` names, the first ones and `and 4 more`. */
export function abbreviateList(names: readonly string[], limit = MAX_NAMES): string {
  if (names.length <= limit) return names.join(', ');
  const shown = names.slice(0, limit - 1);
  return `${shown.join(', ')} and ${names.length - shown.length} more`;
}

/** Returns `2026-01-02 03:04 UTC`. */
export const dateText = (start: string): string =>
  `${start.slice(0, 10)} ${start.slice(11, 16)} UTC`;

/** Returns milliseconds as seconds: `1.2 s`. */
export const secondsText = (milliseconds: number): string =>
  `${(milliseconds / 1000).toFixed(1)} s`;

/** Returns a text as Markdown that shows it: Markdown and HTML in it are escaped. */
export const markdownText = (text: string): string =>
  sanitizeLine(text).replace(/[\\`*_[\]<>|~&]/g, '\\$&');

/** Returns inline code in Markdown. No content can end it. */
export function inlineCode(text: string): string {
  const line = sanitize(text).replace(/\s*\n\s*/g, ' ');
  const fence = fenceFor(line, 1);
  return `${fence} ${line} ${fence}`;
}

/** Returns a block of code in Markdown. No content can end it. */
export function codeBlock(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

/** Returns more backticks than the text has in a row, and at least `minimum`. */
function fenceFor(text: string, minimum: number): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), minimum));
}

/** Returns a list in Markdown, one item a line. */
export const markdownList = (items: readonly string[]): string =>
  items.map((item) => `- ${item}`).join('\n');

/** Returns a table in Markdown. A cell must not contain a pipe. */
export const markdownTable = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
