import { createRequire } from 'node:module';

// The name of the package leads to its package.json from the sources as well as from the compiled
// code.
const { name, version }: { name: string; version: string } = createRequire(import.meta.url)(
  'user-management-conformance/package.json',
);

/**
 * The version of the set of requirements, which every report carries. The major version is raised
 * when a service that conformed may no longer conform. docs/requirement-set.md explains each part.
 */
export const REQUIREMENT_SET = '4.1.0';

/** The suite, as reports name it. */
export const suite = { name, version, requirementSet: REQUIREMENT_SET };
