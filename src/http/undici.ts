import { createRequire } from 'node:module';

/** Loads undici, which takes long, so only for a run. A bundle has only the parts in use. */
export function loadUndici(): typeof import('undici') {
  // Loads the copy in Node first. Otherwise this one would serve the process's `fetch`.
  void globalThis.Headers;
  return createRequire(import.meta.url)('undici');
}
