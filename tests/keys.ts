import fc from 'fast-check';
import { isEveryday } from '../src/settings/target.ts';

/** Keys of every character that RFC 6750 allows; none is a word, which is hidden in company alone. */
export const keys = fc
  .array(fc.constantFrom(...'ABCabcxyz0189-._~+/='), { minLength: 9, maxLength: 60 })
  .map((characters) => characters.join(''))
  .filter((key) => !isEveryday(key));
