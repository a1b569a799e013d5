import { SettingsError } from './errors.ts';
import { nameOf } from './names.ts';
import { nearest } from './nearest.ts';

/** Patterns of slugs, in which `*` matches any characters. An empty `only` selects all. */
export interface Selection {
  only: string[];
  skip: string[];
}

/**
 * Returns the selected requirements. Throws a SettingsError if none is selected, or if a pattern
 * matches no requirement: it is probably misspelt.
 */
export function select<Item extends { slug: string }>(
  requirements: readonly Item[],
  { only, skip }: Selection,
): Item[] {
  const slugs = requirements.map(({ slug }) => slug);
  const unmatched = [...only, ...skip].find(
    (pattern) => !slugs.some((slug) => matches(pattern, slug)),
  );
  if (unmatched !== undefined) throw new SettingsError(unmatchedText(unmatched, slugs));
  const matchesAny = (slug: string, patterns: readonly string[]) =>
    patterns.some((pattern) => matches(pattern, slug));
  const selected = requirements.filter(
    ({ slug }) => (only.length === 0 || matchesAny(slug, only)) && !matchesAny(slug, skip),
  );
  if (selected.length > 0) return selected;
  throw new SettingsError(
    `${nameOf('CONFORMANCE_ONLY')} and ${nameOf('CONFORMANCE_SKIP')} leave no requirement to judge.`,
  );
}

function unmatchedText(pattern: string, slugs: readonly string[]): string {
  const chapters = slugs.map((slug) => `${slug.split('.')[0]}.*`);
  const suggestion = pattern.includes('*')
    ? nearest(pattern, chapters)
    : nearestSlug(pattern, slugs);
  const advice = suggestion
    ? `did you mean ${suggestion}?`
    : 'the command shows all slugs with --list.';
  return `No requirement matches "${pattern}": ${advice}`;
}

/**
 * Returns the slug that a misspelt one probably means, also if only its beginning or a part of it is
 * given; undefined if none is similar.
 */
export function nearestSlug(given: string, slugs: readonly string[]): string | undefined {
  const isPartOf = (slug: string) =>
    nearest(given, [slug.slice(0, given.length + 1)]) !== undefined ||
    (given.length >= SHORTEST_PART && slug.includes(given));
  return nearest(given, slugs) ?? slugs.find(isPartOf);
}

/** A shorter part is in too many slugs. */
const SHORTEST_PART = 4;

/** Whether a pattern matches a slug. A regular expression could take forever on many stars. */
export function matches(pattern: string, slug: string): boolean {
  const [first = '', ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return slug === first;
  if (!slug.startsWith(first) || !slug.endsWith(last)) return false;
  let end = first.length;
  for (const part of rest) {
    const start = slug.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  return end <= slug.length - last.length;
}
