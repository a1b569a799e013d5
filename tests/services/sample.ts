/** `npm run test:thorough`: all that is there is tried. */
export const isThorough = process.env.MODE === 'thorough';

/** In a thorough run all of them, otherwise one of so many. */
export function oneOf<T>(many: number, all: readonly T[]): readonly T[] {
  return isThorough ? all : all.filter((_, index) => index % many === 0);
}

/** In a thorough run all of them, otherwise the first `most` of each kind. */
export function firstOf<T>(most: number, all: readonly T[], kindOf: (one: T) => string): readonly T[] {
  const count = new Map<string, number>();
  return all.filter((one) => {
    const before = count.get(kindOf(one)) ?? 0;
    count.set(kindOf(one), before + 1);
    return isThorough || before < most;
  });
}
