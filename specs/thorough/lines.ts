import { linesOf } from '../../src/http/lists.ts';

/** The lines of a list, `words/NAME.txt`: one item a line. */
export const lines = (name: string): string[] => linesOf(`../words/${name}`, import.meta.url);

/** A header that is written as `name: value`. */
export function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
