import { fileURLToPath } from 'node:url';

/** The folder of what is compiled, in which Vitest finds the spec. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
