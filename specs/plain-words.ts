import { linesOf } from '../src/http/lists.ts';

/** Lines such as `yes and no: true false on off`: the name of a class and its words. */
const LINES = linesOf('words/plain-words', import.meta.url);

/**
 * Words that have a meaning to loaders, queries, filters, shells or spreadsheets, by class. In a
 * name or an address they have none.
 */
export const PLAIN_WORDS: string[][] = LINES.map((line) =>
  line.slice(line.indexOf(': ') + 2).split(' '),
);
