import { readFileSync } from 'node:fs';

/** Returns the lines of a text file beside this module, or beside another one. */
export function linesOf(name: string, moduleUrl = import.meta.url): string[] {
  const text = readFileSync(new URL(`./${name}.txt`, moduleUrl), 'utf8');
  return text.split(/\r?\n/).filter(Boolean);
}
