import { linesOf } from '../src/http/lists.ts';

/** The words of a list, `words/NAME.txt`, which has any number in a line. */
export const words = (name: string): string[] =>
  linesOf(`words/${name}`, import.meta.url).flatMap((line) => line.trim().split(/\s+/));
