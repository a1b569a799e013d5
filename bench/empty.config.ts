import { configure } from '../vitest.config.ts';

/** The configuration of a conformance run, but for the spec: what Vitest, the reporters and the set-up take alone. */
const { configuration } = await configure();
export default { ...configuration, test: { ...configuration.test, include: ['bench/empty.spec.ts'] } };
