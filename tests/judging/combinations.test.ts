import { describe, expect, test } from 'vitest';
import { variants } from '../services/variants/index.ts';
import type { Variant } from '../services/variants/variant.ts';
import { conformsCombined } from './combinations.ts';

/** Combinations that are hard to judge. `npm run test:thorough` draws 80 others. */
const COMBINED: [why: string, names: string[]][] = [
  ['the identifier is in a list that lags', ['only in the list', 'reads show a user 60 ms late']],
  [
    'nothing but a count shows a creation, and others write',
    ['pages of five', 'one user every 15 ms for a while', 'empty, 204'],
  ],
  [
    'an email that identifies users is in use',
    ['the email', 'no email twice, and all usual ones are there'],
  ],
  [
    'requests beyond a limit are retried, and users appear later',
    ['at most six requests at a time', 'no email twice', '202, and the user appears later'],
  ],
  [
    'a rejection repeats the key, compressed, for a short key',
    ['gzip unasked', 'refusals that repeat what was sent', 'a key of digits'],
  ],
];

function variantsBy(names: string[]): Variant[] {
  const combined = names.flatMap((name) => variants.filter((variant) => variant.name === name));
  expect(combined.map(({ name }) => name)).toEqual(names);
  return combined;
}

describe.concurrent('combined choices conform', () => {
  test.for(COMBINED)('%s', ([, names]) => conformsCombined(variantsBy(names)));
});
