import { randomInt } from 'node:crypto';
import { textOf } from '../http/value.ts';
import { bounded, members } from './record.ts';

type Item = Record<string, unknown>;

/** How many of a list's items are looked at more closely, besides the first and the last. */
const BETWEEN = 3;

/** Identifiers of several items that are told. */
const REPEATED = 5;

/** Some items of a list, each user once: the first, the last and so many at random; `member` shows their identifiers. */
export function sampleOf(items: readonly Item[], member: string | undefined, most = BETWEEN): Item[] {
  const places = new Set(items.length > 0 ? [0, items.length - 1] : []);
  while (places.size < Math.min(items.length, most + 2)) places.add(randomInt(items.length));
  const chosen = new Map<string, Item>();
  for (const place of [...places].sort((a, b) => a - b)) {
    const item = items[place] as Item;
    const { email, name } = members(item);
    chosen.set([email, name, member && item[member]].map(textOf).join('\n'), item);
  }
  return [...chosen.values()].map(bounded);
}

/** Some of the identifiers that several items show in a member. */
export function repeatedIn(items: readonly Item[], member: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const item of items) {
    const text = textOf(item[member]);
    if (text && seen.has(text)) repeated.add(text);
    if (text) seen.add(text);
  }
  return [...repeated].slice(0, REPEATED);
}
