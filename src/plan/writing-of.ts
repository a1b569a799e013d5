/**
 * Whether a text is an identifier in another writing, or begins with it, so that a lenient lookup may find it: other digits
 * (٣ for 3), full-width letters, another case, white space around, a sign, leading zeros. Digits that go on are another number.
 */
export function isWritingOf(text: string, identifier: string): boolean {
  if (identifier === '') return false;
  if (normalised(text) === normalised(identifier)) return true;
  const isNumber = /^\d+$/.test(identifier) && /^\d/.test(text.slice(identifier.length));
  return text.startsWith(identifier) && !isNumber;
}

function normalised(text: string): string {
  const plain = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll(/\p{Nd}/gu, digit);
  return /^[+-]?[\d_]+(\.0*)?$/.test(plain) ? plain.replaceAll(/_|^[+-]|\..*/g, '').replace(/^0+(?=\d)/, '') : plain;
}

/** The value of a digit of any script: its digits stand in a row, from 0 to 9. */
function digit(character: string): string {
  const code = character.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return `${value}`;
}
