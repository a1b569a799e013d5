import { existsSync, readFileSync } from 'node:fs';
import type { DeepProof } from '../services/deep/index.ts';

/** Where `npm run test:thorough` writes what it measured of deep services. */
export const MEASURED = 'reports/deep.json';

/** The measurements of the last `npm run test:thorough`; empty before the first. */
export function measured(): DeepProof {
  return existsSync(MEASURED) ? JSON.parse(readFileSync(MEASURED, 'utf8')) : {};
}
