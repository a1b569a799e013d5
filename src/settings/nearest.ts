/** Letters in which a name may differ from the one that was meant. */
const MOST_CHANGED = 3;

/** The name that somebody may have meant: what was given is half of it or more, or differs in few letters; else undefined. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const typed = letters(given);
  const whole = names.find((name) => isMostOf(typed, letters(name)));
  if (whole) return whole;
  // To compare all letters of all names takes longer than the rest of the settings.
  const alike = names.filter((name) => Math.abs(letters(name).length - typed.length) <= MOST_CHANGED);
  const far = (name: string) => distance(typed, letters(name));
  const [closest = ''] = alike.sort((one, other) => far(one) - far(other));
  const most = Math.min(MOST_CHANGED, Math.floor(letters(closest).length / 3.5));
  return closest !== '' && far(closest) <= most ? closest : undefined;
}

const isMostOf = (part: string, whole: string) =>
  part.length * 2 >= whole.length && (whole.startsWith(part) || whole.endsWith(part));

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
