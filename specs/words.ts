import { linesOf } from '../src/http/lists.ts';

/** All texts that a text with alternatives stands for: `a<b|c>` for `ab` and `ac`. */
function expand(text: string): string[] {
  const [alternatives, inside = ''] = /<([^<>]*\|[^<>]*)>/.exec(text) ?? [];
  if (alternatives === undefined) return [text];
  return inside.split('|').flatMap((one) => expand(text.replace(alternatives, () => one)));
}

/** The lines of a list, `words/NAME.txt`; one with alternatives, `a<b|c>`, stands for several. */
export const lines = (name: string): string[] => [
  ...new Set(linesOf(`words/${name}`, import.meta.url).flatMap(expand)),
];

/** The words of a list. */
export const words = (name: string): string[] => lines(name).flatMap((line) => line.trim().split(/\s+/));

/** The texts of a list: each line is a JSON string, for characters that nobody sees. */
export const texts = (name: string): string[] => lines(name).map((line) => JSON.parse(line) as string);

const split = (line: string) => line.split(/: (.*)/) as [what: string, text: string];

/** The texts of a list whose lines say first what each of them is, before a colon. */
export const named = (name: string) => lines(name).map(split);

/** Those of a kind, of a list whose lines say that first. */
export const ofKind = (name: string, kind: string) =>
  named(name).flatMap(([of, text]) => (of === kind ? [split(text)] : []));

/** What a line stands for that is too long to be written: `<x*3>` for `xxx`, `<x#*3>` for `x0x1x2`. */
export const repeated = (line: string): string =>
  line.replace(/<([^<>|]+)\*(\d+)>/g, (_, text: string, times) =>
    text.includes('#')
      ? Array.from({ length: Number(times) }, (_, at) => text.replace('#', `${at}`)).join('')
      : text.repeat(Number(times)),
  );

/** The name and the value of a header, which a line has as they are sent. */
export function header(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
  return [name.toLowerCase(), value];
}
