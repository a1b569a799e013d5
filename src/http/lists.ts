import { readText } from '../settings/text-file.ts';

/** Returns the lines of a text file beside this module, or beside another one. */
export function linesOf(name: string, moduleUrl = import.meta.url): string[] {
  return readText(`./${name}.txt`, moduleUrl).split(/\r?\n/).filter(Boolean);
}
