import leven from 'leven';

/** Letters in which a name may differ from the one that was meant. */
const MOST_CHANGED = 3;

/** The name that somebody may have meant: what was given is half of it or more, or differs in few letters; else undefined. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const typed = letters(given);
  const whole = names.find((name) => isMostOf(typed, letters(name)));
  if (whole) return whole;
  const far = (name: string) => leven(typed, letters(name), { maxDistance: MOST_CHANGED + 1 });
  const [closest = ''] = names.toSorted((one, other) => far(one) - far(other));
  const most = Math.min(MOST_CHANGED, Math.floor(letters(closest).length / 3.5));
  return far(closest) <= most ? closest || undefined : undefined;
}

const isMostOf = (part: string, whole: string) =>
  part.length * 2 >= whole.length && (whole.startsWith(part) || whole.endsWith(part));

const letters = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, '');
