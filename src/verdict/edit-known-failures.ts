import { type CST, isMap, isSeq, LineCounter, parseDocument, visit, type YAMLSeq } from 'yaml';
import { YAML } from './known-failures.ts';

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

/** The format of a file that has no entry yet. */
export type Format = 'yaml' | 'json';

/**
 * Returns the text of a file of known failures with entries removed and added. All other text stays
 * byte by byte: comments, quotes, indentation and line ends. The comments directly above an entry
 * are removed with it, except those at the head of the file. `parseKnownFailures` must accept the
 * text. Pure.
 */
export function editKnownFailures(text: string, edit: Edit, format: Format): string {
  if (edit.removed.size === 0 && edit.added.length === 0) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  // An empty list does not show whether the team prefers YAML's block style.
  const source = /^\s*\[\s*\]\s*$/.test(text) ? '' : text;
  const lineCounter = new LineCounter();
  const sequence = sequenceIn(source, lineCounter);
  if (sequence === undefined) {
    if (format === 'json') return jsonList(edit.added, eol);
    const entries = edit.added.map((entry) => blockEntry(entry, '', eol));
    return `${withLineEnd(source, eol)}${entries.join('')}`;
  }
  if (sequence.srcToken?.type === 'block-seq')
    return editBlock(source, blockEntriesOf(sequence, sequence.srcToken, lineCounter), edit, eol);
  const [start, end] = sequence.range ?? [0, 0];
  return editFlow(source, entriesOf(sequence), { start, end }, edit, eol);
}

/** Whether an entry refers to another with an alias, so that neither can be removed alone. */
export function hasAlias(text: string): boolean {
  let isFound = false;
  visit(parseDocument(text, YAML), {
    Alias: () => {
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound;
}

/** The slug of an entry, and the offsets at which its value begins and ends. */
interface Entry {
  slug: string;
  start: number;
  end: number;
}

/** The slug of an entry after a dash, its lines counted from 0, and the column of the dash. */
interface BlockEntry {
  slug: string;
  first: number;
  last: number;
  column: number;
}

function sequenceIn(text: string, lineCounter: LineCounter): YAMLSeq | undefined {
  const { contents } = parseDocument(text, { ...YAML, keepSourceTokens: true, lineCounter });
  return isSeq(contents) ? contents : undefined;
}

function entriesOf({ items }: YAMLSeq): Entry[] {
  return items.flatMap((item) => {
    if (!isMap(item) || !item.range) return [];
    const [start, end] = item.range;
    return [{ slug: `${item.get('slug')}`, start, end }];
  });
}

function blockEntriesOf(
  sequence: YAMLSeq,
  { items }: CST.BlockSequence,
  lineCounter: LineCounter,
): BlockEntry[] {
  const dashes = items.flatMap(
    ({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [],
  );
  return entriesOf(sequence).map(({ slug, start, end }, at) => {
    const dash = lineCounter.linePos(dashes[at] ?? start);
    // A block scalar ends at the beginning of the next line.
    const { line } = lineCounter.linePos(end - 1);
    return { slug, first: dash.line - 1, last: line - 1, column: dash.col - 1 };
  });
}

/** Edits a list with a dash before each entry, line by line. */
function editBlock(
  text: string,
  entries: readonly BlockEntry[],
  { removed, added }: Edit,
  eol: string,
): string {
  const lines = text.split(/(?<=\n)/);
  const blocks = blocksOf(lines, entries);
  const dropped = linesToDrop(lines, blocks, removed);
  const keptLines = lines.map((line, index) => (dropped.has(index) ? '' : line));
  const end = blocks.at(-1)?.end ?? 0;
  const above = keptLines.slice(0, end).join('');
  const below = keptLines.slice(end).join('');
  if (added.length === 0) return `${above}${below}`;
  const indent = ' '.repeat(entries.at(-1)?.column ?? 0);
  const entriesToAdd = added.map((entry) => blockEntry(entry, indent, eol)).join('');
  return `${withLineEnd(above, eol)}${entriesToAdd}${below}`;
}

/** The lines of an entry with its comments: from `start` up to, but not including, `end`. */
interface Block {
  slug: string;
  start: number;
  end: number;
}

/** Returns the block of each entry: its lines, indented comments below it and comments above it. */
function blocksOf(lines: readonly string[], entries: readonly BlockEntry[]): Block[] {
  const blocks: Block[] = [];
  for (const { slug, first, last, column } of entries) {
    let end = last + 1;
    while (commentColumn(lines[end]) > column) end += 1;
    // Comments above the first entry are the head of the file.
    const previousEnd = blocks.at(-1)?.end ?? first;
    let start = first;
    while (start > previousEnd && commentColumn(lines[start - 1]) >= 0) start -= 1;
    blocks.push({ slug, start, end });
  }
  return blocks;
}

/** Returns the lines of removed blocks, with the blank lines after them. */
function linesToDrop(
  lines: readonly string[],
  blocks: readonly Block[],
  removed: ReadonlySet<string>,
): Set<number> {
  const dropped = new Set<number>();
  let keptEnd = 0;
  for (const { slug, start, end } of blocks) {
    if (!removed.has(slug)) {
      keptEnd = end;
      continue;
    }
    let next = end;
    while (isBlank(lines[next])) next += 1;
    for (let line = start; line < next; line += 1) dropped.add(line);
    if (next < lines.length) continue;
    // No blank line stays at the end of the file, except those that belong to a reason.
    for (let line = start - 1; line >= keptEnd; line -= 1) {
      if (!dropped.has(line) && !isBlank(lines[line])) break;
      dropped.add(line);
    }
  }
  return dropped;
}

const isBlank = (line: string | undefined): boolean => line?.trim() === '';

/** Returns the column of a comment that has a line of its own; -1 for any other line. */
const commentColumn = (line = ''): number => /^\s*(?=#)/.exec(line)?.[0].length ?? -1;

/** Edits a list in brackets, such as JSON. */
function editFlow(
  text: string,
  entries: readonly Entry[],
  { start, end }: { start: number; end: number },
  { removed, added }: Edit,
  eol: string,
): string {
  const firstStart = entries[0]?.start ?? start + 1;
  const lastEnd = entries.at(-1)?.end ?? start + 1;
  const lead = text.slice(start + 1, firstStart);
  // Anything but blanks is a comment on the first entry, not a separator.
  const separator = lead.trim() === '' ? lead : ' ';
  const sample = text.slice(firstStart, entries[0]?.end);
  const pieces: string[] = [];
  let endBefore = firstStart;
  for (const entry of entries) {
    const from = pieces.length === 0 ? entry.start : endBefore;
    if (!removed.has(entry.slug)) pieces.push(text.slice(from, entry.end));
    endBefore = entry.end;
  }
  for (const entry of added) {
    const comma = pieces.length === 0 ? '' : `,${separator}`;
    pieces.push(`${comma}${jsonEntry(entry, sample, separator, eol)}`);
  }
  const isEmpty = pieces.length === 0;
  const head = text.slice(0, isEmpty ? start + 1 : firstStart);
  return `${head}${pieces.join('')}${text.slice(isEmpty ? end - 1 : lastEnd)}`;
}

function blockEntry({ slug, reason, seen }: NewEntry, indent: string, eol: string): string {
  const lines = [`- slug: ${slug}`];
  if (seen !== '') lines.push(`  # ${seen}`);
  lines.push(`  reason: ${JSON.stringify(reason)}`);
  return lines.map((line) => `${indent}${line}${eol}`).join('');
}

/** Returns an entry on one line, or on several if the `sample` has several. */
function jsonEntry(
  { slug, reason }: NewEntry,
  sample: string,
  separator: string,
  eol: string,
): string {
  if (!sample.includes('\n'))
    return `{ "slug": ${JSON.stringify(slug)}, "reason": ${JSON.stringify(reason)} }`;
  const indent = separator.split('\n').at(-1) ?? '';
  return JSON.stringify({ slug, reason }, null, 2).replaceAll('\n', `${eol}${indent}`);
}

function jsonList(added: readonly NewEntry[], eol: string): string {
  const entries = added.map(({ slug, reason }) => ({ slug, reason }));
  return `${JSON.stringify(entries, null, 2)}\n`.replaceAll('\n', eol);
}

/** Returns a text that ends with a line end, unless it is empty. */
const withLineEnd = (text: string, eol: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
