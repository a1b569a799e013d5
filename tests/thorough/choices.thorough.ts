import { describe, test } from 'vitest';
import { nameOf } from '../services/variants/combined.ts';
import { variants } from '../services/variants/index.ts';
import type { Variant } from '../services/variants/variant.ts';
import { conformsInDepth } from './in-depth.ts';

const titled = variants.map((variant): [string, Variant] => [nameOf([variant]), variant]);

describe.concurrent('a conforming variant conforms in depth', () => {
  test.for(titled)('%s', ([, variant]) => conformsInDepth([variant]));
});
