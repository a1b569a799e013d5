import { readFileSync } from 'node:fs';

/** The lines of a list beside this file. */
export function linesOf(name: string): string[] {
  const text = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8');
  return text.trimEnd().split(/\r?\n/);
}
