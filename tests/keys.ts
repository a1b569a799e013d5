import fc from 'fast-check';

/** Keys of every character that RFC 6750 allows. */
export const keys = fc
  .array(fc.constantFrom(...'ABCabcxyz0189-._~+/='), { minLength: 9, maxLength: 60 })
  .map((characters) => characters.join(''));
