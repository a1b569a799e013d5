import { SettingsError } from './errors.ts';
import { nameOf } from './names.ts';
import { nearest } from './nearest.ts';

/**
 * Which requirements a user wants judged, by patterns of slugs in which `*` stands for any characters. Where `only` is
 * empty, all but those to skip.
 */
export type Selection = { only: string[]; skip: string[] };

/**
 * The requirements that a selection leaves. Throws a SettingsError when a pattern matches none of them, because a
 * misspelt one would leave out what was meant, and when nothing is left.
 */
export function select<One extends { slug: string }>(
  requirements: readonly One[],
  { only, skip }: Selection,
): One[] {
  const idle = [...only, ...skip].find(
    (pattern) => !requirements.some(({ slug }) => matches(pattern, slug)),
  );
  if (idle !== undefined) {
    const slugs = requirements.map(({ slug }) => slug);
    const chapters = slugs.map((slug) => `${slug.split('.')[0]}.*`);
    const meant = nearest(idle, idle.includes('*') ? chapters : slugs);
    throw new SettingsError(
      `No requirement matches "${idle}": ${meant ? `did you mean ${meant}?` : 'the command shows all slugs with --list.'}`,
    );
  }
  const fits = (slug: string, patterns: string[]) =>
    patterns.some((pattern) => matches(pattern, slug));
  const left = requirements.filter(
    ({ slug }) => (only.length === 0 || fits(slug, only)) && !fits(slug, skip),
  );
  if (left.length === 0)
    throw new SettingsError(
      `${nameOf('CONFORMANCE_ONLY')} and ${nameOf('CONFORMANCE_SKIP')} leave no requirement to judge.`,
    );
  return left;
}

/** Whether a slug fits a pattern. Without a regular expression, which could take for ever on many stars. */
export function matches(pattern: string, slug: string): boolean {
  const [first = '', ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return slug === first;
  if (!slug.startsWith(first) || !slug.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = slug.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= slug.length - last.length;
}
