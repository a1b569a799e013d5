import { createRequire } from 'node:module';

/** The facts of package.json that the suite shows. */
interface Package {
  name: string;
  version: string;
}

// The name of the package leads to its package.json from the sources as well as from the compiled
// code.
const { name, version }: Package = createRequire(import.meta.url)(
  'user-management-conformance/package.json',
);

/** The name and the version of the suite. */
export const suitePackage: Package = { name, version };
