/** What Vitest takes by itself: its defaults, and a spec with nothing in it. */
export default { root: `${import.meta.dirname}/..`, test: { include: ['bench/empty.spec.ts'] } };
