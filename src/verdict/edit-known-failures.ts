import { unlessThrown } from '../settings/errors.ts';

/** An entry to add. */
export interface NewEntry {
  slug: string;
  reason: string;
  /** The failure in one line, for the person who writes the reason; may be empty. */
  seen: string;
}

/** Changes to a file of known failures. Entries that are not removed stay as they are. */
export interface Edit {
  removed: ReadonlySet<string>;
  added: readonly NewEntry[];
}

/**
 * Returns the text of a file of known failures with entries removed and added. `slugs` are those of
 * its entries, in their order. In YAML, all other lines stay as they are. Comments directly above an
 * entry are removed with it, except those at the head of the file. Returns undefined for a list in
 * brackets that is no JSON. Pure.
 */
export function editKnownFailures(
  text: string,
  slugs: readonly string[],
  edit: Edit,
  isJson: boolean,
): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const list: { slug: string }[] | undefined = unlessThrown(() => JSON.parse(text)) ?? undefined;
  if (slugs.length === 0 ? isJson : list)
    return editJson(text, list ?? [], edit).replaceAll(/\r?\n/g, eol);
  if (slugs.length > 0) return editBlocks(text, slugs, edit, eol);
  const comments = splitLines(text).filter((line) => line.trim() === '' || isComment(line));
  return `${withLineEnd(comments.join(''), eol)}${entryLines(edit.added, '', eol)}`;
}

/** Edits a list in JSON, which keeps its indentation. */
function editJson(
  text: string,
  list: readonly { slug: string }[],
  { removed, added }: Edit,
): string {
  const [, indent = list.length === 0 ? '  ' : ''] = /^\s*\[\s*\n([ \t]+)/.exec(text) ?? [];
  const kept = list.filter(({ slug }) => !removed.has(slug));
  const entries = [...kept, ...added.map(({ slug, reason }) => ({ slug, reason }))];
  return `${JSON.stringify(entries, null, indent)}${/[^\n]$/.test(text) ? '' : '\n'}`;
}

/** Edits a list in YAML with a dash before each entry. */
function editBlocks(
  text: string,
  slugs: readonly string[],
  { removed, added }: Edit,
  eol: string,
): string | undefined {
  const first = /^( *)-\s/m.exec(text);
  if (first === null) return undefined;
  const [, indent = ''] = first;
  const blocks = text.slice(first.index).split(new RegExp(`^(?=${indent}-\\s)`, 'm'));
  let edited = text.slice(0, first.index);
  let below: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const lines = splitLines(block);
    const end = lines.findLastIndex((line) => !isBelow(line, indent)) + 1;
    if (!removed.has(slugs[index] ?? '')) {
      edited += [...below, ...lines.slice(0, end)].join('');
      below = lines.slice(end);
      continue;
    }
    while (isComment(below.at(-1))) below.pop();
    const comment = lines.findIndex((line, at) => at >= end && isComment(line));
    if (comment > 0) below.push(...lines.slice(comment));
  }
  // Blank lines may belong to the last reason.
  const blank = below.findIndex(isComment);
  const comments = below.splice(blank < 0 ? below.length : blank);
  const above = withLineEnd(`${edited}${below.join('')}`, eol);
  return `${above}${entryLines(added, indent, eol)}${comments.join('')}`;
}

const splitLines = (text: string): string[] => text.split(/(?<=\n)/);

const isComment = (line = ''): boolean => line.trimStart().startsWith('#');

/** Whether a line belongs to no entry: a blank line, or a comment that is not indented. */
const isBelow = (line: string, indent: string): boolean =>
  line.trim() === '' || (isComment(line) && line.search(/\S/) <= indent.length);

function entryLines(added: readonly NewEntry[], indent: string, eol: string): string {
  const lines = added.flatMap(({ slug, reason, seen }) => [
    `- slug: ${slug}`,
    ...(seen === '' ? [] : [`  # ${seen}`]),
    `  reason: ${JSON.stringify(reason)}`,
  ]);
  return lines.map((line) => `${indent}${line}${eol}`).join('');
}

/** Returns a text that ends with a line end, unless it is empty. */
const withLineEnd = (text: string, eol: string): string =>
  /[^\n]$/.test(text) ? `${text}${eol}` : text;
