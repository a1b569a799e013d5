import { readFileSync } from 'node:fs';

/** The lines of a list: beside this file, or beside the module at another address. */
export function linesOf(name: string, beside = import.meta.url): string[] {
  const text = readFileSync(new URL(`./${name}.txt`, beside), 'utf8');
  return text.split(/\r?\n/).filter(Boolean);
}
