import { brokenServices } from './broken/index.ts';
import type { Patch } from './service.ts';
import { variants } from './variants/index.ts';

/** What has this name, among services that are called so. Throws where none is, or several are. */
function named<T extends { name: string; patch: Patch }>(all: T[], name: string): T {
  const [found, another] = all.filter((one) => one.name === name);
  if (found === undefined || another !== undefined)
    throw new Error(`${another ? 'several services' : 'no service'} "${name}"`);
  return found;
}

/** The patch of a broken service. Throws where the name is misspelt. */
export function brokenBy(name: string): Patch {
  return named(brokenServices, name).patch;
}

/** The patch of a conforming variant. Throws where the name is misspelt. */
export function variantBy(name: string): Patch {
  return named(variants, name).patch;
}
