import { createRequire } from 'node:module';

/** Where undici, and the `fetch` of Node, look for the dispatcher of the whole process. */
const OF_THE_PROCESS = Symbol.for('undici.globalDispatcher.1');

const require = createRequire(import.meta.url);
const loaded = new Set(Object.keys(require.cache));

// As it loads, undici puts its own dispatcher there if there is none, and Node's fetch would use that one from then on.
const isFree = !(OF_THE_PROCESS in globalThis);
if (isFree) Object.defineProperty(globalThis, OF_THE_PROCESS, { value: 'taken', configurable: true });
// It asks for the `Headers` of Node's fetch, for cookies: Node would load an undici of its own for that, which takes 15 ms.
const headers = Object.getOwnPropertyDescriptor(globalThis, 'Headers') as PropertyDescriptor;
Object.defineProperty(globalThis, 'Headers', { value: undefined, configurable: true });
/** The agent of undici. To load it from here changes nothing for the process. */
export const { EnvHttpProxyAgent } = require('undici') as typeof import('undici');
Object.defineProperty(globalThis, 'Headers', headers);
if (isFree) {
  Reflect.deleteProperty(globalThis, OF_THE_PROCESS);
  // Whoever imports undici after this gets one with its dispatcher.
  for (const path of Object.keys(require.cache)) if (!loaded.has(path)) delete require.cache[path];
}
