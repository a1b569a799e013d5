/** Vitest with its defaults and an empty spec, as the baseline. */
export default { root: `${import.meta.dirname}/..`, test: { include: ['bench/empty.spec.ts'] } };
