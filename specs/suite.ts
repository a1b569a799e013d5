import packageJson from '../package.json' with { type: 'json' };
import { REQUIREMENT_SET } from './requirement-set.ts';

/** What reports say of the suite that made them. */
export const suite = { name: packageJson.name, version: packageJson.version, requirementSet: REQUIREMENT_SET };
