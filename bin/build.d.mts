/**
 * Compiles the sources into dist/, unless dist/ is already up to date. Throws an error with a
 * message of one sentence.
 */
export function refresh(): Promise<void>;
