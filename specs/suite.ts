import { suitePackage } from '../src/settings/package.ts';

/**
 * The version of the set of requirements, which every report carries. The major version is raised
 * when a service that conformed may no longer conform. docs/requirements.md explains each part.
 */
export const REQUIREMENT_SET = '4.1.0';

/** The suite, as reports name it. */
export const suite = { ...suitePackage, requirementSet: REQUIREMENT_SET };
