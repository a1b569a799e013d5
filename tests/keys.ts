import fc from 'fast-check';
import { isEveryday } from '../src/settings/target.ts';

/**
 * Keys of the characters that RFC 6750 allows. None is an everyday word, which reports hide only in
 * context.
 */
export const keys = fc
  .array(fc.constantFrom(...'ABCabcxyz0189-._~+/='), { minLength: 9, maxLength: 60 })
  .map((characters) => characters.join(''))
  .filter((key) => !isEveryday(key));
