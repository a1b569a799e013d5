import { existsSync } from 'node:fs';

const BUILD = new URL('./build.mjs', import.meta.url);

/** Whether this is a clone: an installed package has no build script and no sources. */
export const isClone = existsSync(BUILD);

/** Imports a module of dist/, which a clone compiles first. */
export async function importBuilt(file) {
  if (isClone) {
    const { refresh } = await import(BUILD);
    await refresh();
  }
  return import(file);
}
