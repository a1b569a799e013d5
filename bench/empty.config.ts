import { fileURLToPath } from 'node:url';
import { suite } from '../specs/suite.ts';
import { configure } from '../src/vitest/configure.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The configuration of a conformance run, but for the spec: what Vitest, the reporters and the thread take alone. */
const { configuration } = await configure(suite, root);
export default { ...configuration, test: { ...configuration.test, include: ['bench/empty.spec.ts'] } };
