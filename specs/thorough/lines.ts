import { linesOf } from '../../src/http/lists.ts';

/** Returns the lines of a list, `words/NAME.txt`, which has one item in each. */
export const lines = (name: string): string[] => linesOf(`../words/${name}`, import.meta.url);

/** Returns the header that a line such as `name: value` stands for. */
export function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
