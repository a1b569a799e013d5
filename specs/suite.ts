import { createRequire } from 'node:module';

// By the name of the package: from the sources and from what is compiled of them it lies in different folders.
const { name, version }: { name: string; version: string } = createRequire(import.meta.url)(
  'user-management-conformance/package.json',
);

/**
 * The version of the set of requirements, which every report carries: docs/requirement-set.md says when each part
 * grows. The first one does when a service that conformed may no longer do so.
 */
export const REQUIREMENT_SET = '4.1.0';

/** What reports say of the suite that made them. */
export const suite = { name, version, requirementSet: REQUIREMENT_SET };
