import { createRequire } from 'node:module';

/** Where undici, and the `fetch` of Node, look for the dispatcher of the whole process. */
const OF_THE_PROCESS = Symbol.for('undici.globalDispatcher.1');

// As it loads, undici puts its own dispatcher there if there is none, and Node's fetch would use that one from then on.
const isFree = !(OF_THE_PROCESS in globalThis);
if (isFree) Object.defineProperty(globalThis, OF_THE_PROCESS, { value: 'taken', configurable: true });
/** The agent of undici. To load it from here changes nothing for the process. */
export const { EnvHttpProxyAgent } = createRequire(import.meta.url)('undici') as typeof import('undici');
if (isFree) Reflect.deleteProperty(globalThis, OF_THE_PROCESS);
