import { settingRows } from './table.ts';

const VARIABLES = settingRows.map(({ variable }) => variable);

/** The variables that begin with the suite's own prefix. */
export const OWN = VARIABLES.filter((name) => name.startsWith('CONFORMANCE_'));

/** Letters in which a name may differ from the one that was meant. */
const MOST_CHANGED = 3;

/** Whether a variable is a setting. */
export function isSetting(name: string): boolean {
  return VARIABLES.includes(name);
}

/** The setting that somebody may have meant by a name that is none: in another case, or with a few other letters. */
export function meantBy(name: string): string | undefined {
  if (VARIABLES.includes(name) || name.length > 80) return undefined;
  return nearest(name, VARIABLES);
}

/** The name that is nearest to one that was given; undefined where none is near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const given = letters(name);
  // What is much longer or shorter was not meant; to compare all letters of all names takes longer than the rest.
  const near = names.filter((one) => Math.abs(letters(one).length - given.length) <= MOST_CHANGED);
  const closest = near.map((one) => [one, distance(given, letters(one))] as const).sort(([, a], [, b]) => a - b);
  const [found = '', far = Number.POSITIVE_INFINITY] = closest[0] ?? [];
  return far <= Math.min(MOST_CHANGED, Math.floor(letters(found).length / 3.5)) ? found : undefined;
}

/** What is wrong with a name that is meant for the suite and is no setting, a sentence; undefined for any other. */
export function unknownName(name: string): string | undefined {
  // The environment has many names, and most are far from ours.
  if (VARIABLES.includes(name) || !/^_*c/i.test(name)) return undefined;
  const meant = meantBy(name);
  if (meant?.startsWith('CONFORMANCE_')) return `${name} is no setting of this suite: did you mean ${meant}?`;
  if (!/^CONFORMANCE_/i.test(name)) return undefined;
  return `${name} is no setting of this suite; the settings are ${OWN.join(', ')}.`;
}

const letters = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** How many letters have to be put in, taken out or changed to make one text of another (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [down, letter] of [...one].entries()) {
    const next = [down + 1];
    for (const [at, its] of [...other].entries()) {
      const changed = (row[at] as number) + Number(letter !== its);
      next.push(Math.min(changed, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
