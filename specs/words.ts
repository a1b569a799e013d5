import { linesOf } from '../src/http/lists.ts';

/** Returns the words of a list, `words/NAME.txt`, which may have several in a line. */
export const words = (name: string): string[] =>
  linesOf(`words/${name}`, import.meta.url).flatMap((line) => line.trim().split(/\s+/));
