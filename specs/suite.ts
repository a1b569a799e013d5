import { createRequire } from 'node:module';
import { REQUIREMENT_SET } from './requirement-set.ts';

// By the name of the package: from the sources and from what is compiled of them it lies in different folders.
const { name, version }: { name: string; version: string } = createRequire(import.meta.url)(
  'user-management-conformance/package.json',
);

/** What reports say of the suite that made them. */
export const suite = { name, version, requirementSet: REQUIREMENT_SET };
