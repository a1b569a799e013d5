import { describe, test } from 'vitest';
import { isThorough } from '../services/sample.ts';
import { nameOf } from '../services/variants/combined.ts';
import { variants } from '../services/variants/index.ts';
import { conformsInDepth } from './in-depth.ts';

const all = variants.map((variant) => ({ combined: [variant], name: nameOf([variant]) }));
/** What only depth has ever found fault with. */
const DOUBTFUL = 'lag: three replicas that lag each for itself';
const few = all.filter(({ name }) => name === DOUBTFUL);

describe.concurrent('choices in depth', () => {
  test.for(isThorough ? all : few)('$name', { timeout: 900_000 }, conformsInDepth);
});
