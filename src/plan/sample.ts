import { randomInt } from 'node:crypto';
import { textOf } from '../http/value.ts';
import { bounded, members } from './record.ts';

type Item = Record<string, unknown>;

/** How many of a list's items are looked at more closely, besides the first and the last. */
const BETWEEN = 3;

/** How many of those are whose identifier others have as well. */
const SHARING = 10;

/**
 * Some items of a list, each user once: the first, the last, so many at random, and such as share an identifier, which `member`
 * shows.
 */
export function sampleOf(items: readonly Item[], member: string | undefined, most = BETWEEN): Item[] {
  const places = new Set(items.length > 0 ? [0, items.length - 1] : []);
  while (places.size < Math.min(items.length, most + 2)) places.add(randomInt(items.length));
  const identifierOf = (item: Item) => (member === undefined ? undefined : textOf(item[member]));
  const chosen = new Map<string, Item>();
  for (const item of [...[...places].map((place) => items[place] as Item), ...sharing(items, identifierOf)]) {
    const { email, name } = members(item);
    chosen.set([textOf(email), textOf(name), identifierOf(item)].join('\n'), item);
  }
  return [...chosen.values()].map(bounded);
}

/** Some of the items whose identifier an earlier one has, and that one. */
function sharing(items: readonly Item[], identifierOf: (item: Item) => string | undefined): Item[] {
  const first = new Map<string, Item>();
  const found = new Set<Item>();
  for (const item of items) {
    const text = identifierOf(item);
    const before = text ? first.get(text) : undefined;
    if (before) found.add(before).add(item);
    else if (text) first.set(text, item);
    if (found.size >= SHARING) break;
  }
  return [...found];
}
