import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(`./words/${name}.txt`, import.meta.url), 'utf8');

/** The lines of a list, `words/NAME.txt`. */
export const lines = (name: string): string[] => read(name).split(/\r?\n/).filter(Boolean);

/** The words of a list. */
export const words = (name: string): string[] => read(name).trim().split(/\s+/);

/** The texts of a list: each line is a JSON string, for characters that nobody sees. */
export const texts = (name: string): string[] => lines(name).map((line) => JSON.parse(line) as string);
