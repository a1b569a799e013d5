import { readFileSync } from 'node:fs';

/**
 * Returns the text of a file of the suite. Its path is relative to a module, whose `import.meta.url`
 * is `moduleUrl`. A bundle has these texts in place of this module.
 */
export const readText = (path: string, moduleUrl: string): string =>
  readFileSync(new URL(path, moduleUrl), 'utf8');
