/** `npm run test:thorough`: all that is there is tried. */
export const isThorough = process.env.MODE === 'thorough';

/** In a thorough run all of them, otherwise one of so many. */
export function oneOf<T>(many: number, all: readonly T[]): readonly T[] {
  return isThorough ? all : all.filter((_, index) => index % many === 0);
}

/** In a thorough run all of them, otherwise the first of each kind. */
export function firstOf<T>(all: readonly T[], kindOf: (one: T) => string): readonly T[] {
  return isThorough ? all : all.filter((_, index) => placeOf(all, index, kindOf) === 0);
}

/**
 * All of them where test files are named, and in a thorough run; otherwise the first of each kind, and one in so many
 * after it.
 */
export function oneOfEach<T>(many: number, all: readonly T[], kindOf: (one: T) => string): readonly T[] {
  if (isThorough || process.env.FILES_NAMED) return all;
  return all.filter((_, index) => placeOf(all, index, kindOf) % many === 0);
}

/** How many of its kind come before one. */
function placeOf<T>(all: readonly T[], index: number, kindOf: (one: T) => string): number {
  const kind = kindOf(all[index] as T);
  return all.slice(0, index).filter((one) => kindOf(one) === kind).length;
}
