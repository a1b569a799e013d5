import { fileURLToPath } from 'node:url';
import { suite } from '../specs/suite.ts';
import { configure } from '../src/vitest/configure.ts';

/** The configuration of a conformance run, but for the spec: what Vitest, the reporters and the set-up take alone. */
const { configuration } = await configure(suite, fileURLToPath(new URL('..', import.meta.url)));
export default { ...configuration, test: { ...configuration.test, include: ['bench/empty.spec.ts'] } };
