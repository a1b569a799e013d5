import { brokenServices } from './broken/index.ts';
import type { Patch } from './service.ts';
import { variants } from './variants/index.ts';

/** Returns the patch of a broken service. Throws if the name is misspelt. */
export function brokenBy(name: string): Patch {
  return patchBy(name, brokenServices);
}

/** Returns the patch of a conforming variant. Throws if the name is misspelt. */
export function variantBy(name: string): Patch {
  return patchBy(name, variants);
}

function patchBy(name: string, services: { name: string; patch: Patch }[]): Patch {
  const [service, ...others] = services.filter((candidate) => candidate.name === name);
  if (service === undefined) throw new Error(`no service "${name}"`);
  if (others.length > 0) throw new Error(`several services "${name}"`);
  return service.patch;
}
