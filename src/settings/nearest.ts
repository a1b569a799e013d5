import leven from 'leven';

/** Letters in which a name may differ from the one that was meant. */
const MOST_CHANGED = 3;

/**
 * The name that somebody may have meant; else undefined. What was given is half of it or more, has the same letters, or
 * differs in few letters: in no more than half of those of the words that differ.
 */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const typed = letters(given);
  const whole = names.find((name) => isMostOf(typed, letters(name)));
  if (whole) return whole;
  const far = (name: string) =>
    isSwapped(typed, letters(name))
      ? 1
      : leven(typed, letters(name), { maxDistance: MOST_CHANGED + 1 });
  const [closest = ''] = names.toSorted((one, other) => far(one) - far(other));
  const most = Math.min(
    MOST_CHANGED,
    letters(closest).length / 3.5,
    differing(given, closest).length / 2,
  );
  return far(closest) <= most ? closest || undefined : undefined;
}

const isMostOf = (part: string, whole: string) =>
  part.length * 2 >= whole.length && (whole.startsWith(part) || whole.endsWith(part));

const isSwapped = (one: string, other: string) =>
  [...one].sort().join('') === [...other].sort().join('');

/** The letters of a name, without the words that what was given has in the same places. */
function differing(given: string, name: string): string {
  const [typed = [], words = []] = [given, name].map((one) =>
    one.toUpperCase().split(/[^A-Z0-9]+/),
  );
  return words.filter((word, at) => word !== typed[at]).join('');
}

const letters = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, '');
