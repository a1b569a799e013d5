import { linesOf } from '../src/http/lists.ts';

/** A class in each line, after its name. */
const LINES = linesOf('words/plain-words', import.meta.url);

/**
 * Words that loaders, queries, filters, shells and spreadsheets take for something else, by class; in a name or an
 * address they are plain.
 */
export const PLAIN_WORDS: string[][] = LINES.map((line) =>
  line.slice(line.indexOf(': ') + 2).split(' '),
);
