import leven from 'leven';

/** The most letters in which two similar names differ. */
const MOST_CHANGED = 3;

/**
 * Returns the name that a misspelt one probably means; undefined if none is similar. A name is
 * similar if the given one is a half of it or more, has the same letters in another order, or
 * differs in few letters: at most in half of those of the words that differ.
 */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(given);
  const extended = names.find((name) => isMostOf(letters, lettersOf(name)));
  if (extended) return extended;
  const distanceTo = (name: string) => distanceBetween(letters, lettersOf(name));
  const [closest] = names.toSorted((a, b) => distanceTo(a) - distanceTo(b));
  if (closest === undefined) return undefined;
  const most = Math.min(
    MOST_CHANGED,
    lettersOf(closest).length / 3.5,
    lettersOfDifferingWords(given, closest).length / 2,
  );
  return distanceTo(closest) <= most ? closest : undefined;
}

function isMostOf(part: string, whole: string): boolean {
  return part.length * 2 >= whole.length && (whole.startsWith(part) || whole.endsWith(part));
}

/** Returns the number of letters in which two texts differ. Letters in another order count as one. */
function distanceBetween(a: string, b: string): number {
  if (sortLetters(a) === sortLetters(b)) return 1;
  return leven(a, b, { maxDistance: MOST_CHANGED + 1 });
}

function sortLetters(text: string): string {
  return [...text].sort().join('');
}

/** Returns the letters of the words of a name that differ from the given words in their places. */
function lettersOfDifferingWords(given: string, name: string): string {
  const givenWords = wordsOf(given);
  return wordsOf(name)
    .filter((word, index) => word !== givenWords[index])
    .join('');
}

function wordsOf(name: string): string[] {
  return name.toUpperCase().split(/[^A-Z0-9]+/);
}

function lettersOf(name: string): string {
  return wordsOf(name).join('');
}
