import { fileURLToPath } from 'node:url';
import { load } from '../bin/load.mjs';

const { module, close } = await load(fileURLToPath(new URL('./bench.ts', import.meta.url)));
await module.main(process.argv.slice(2));
await close();
