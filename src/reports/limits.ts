/**
 * The limits of a file that is read again: bytes, also compressed, values and bytes of one text. A
 * usual run has 1.5 MB, 120 kB compressed, 60,000 values and texts of up to 66 kB.
 */
export const LIMIT = {
  bytes: 64 * 2 ** 20,
  compressedBytes: 8 * 2 ** 20,
  values: 3_000_000,
  textBytes: 2 ** 20,
};

const [QUOTE = 0, BACKSLASH = 0, COMMA = 0, BRACKET = 0, BRACE = 0] = Buffer.from('"\\,[{');

/**
 * Whether a JSON text is beyond the limits. Counts before anything is parsed: a few kilobytes of a
 * compressed file can become gigabytes of empty lists.
 */
export function isBeyondLimits(json: Buffer): boolean {
  let values = 0;
  let textStart = -1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE && textStart < 0) textStart = at;
    else if (byte === QUOTE) {
      if (at - textStart > LIMIT.textBytes) return true;
      textStart = -1;
    } else if (textStart < 0 && (byte === COMMA || byte === BRACKET || byte === BRACE)) values += 1;
  }
  return values > LIMIT.values || json.length > LIMIT.bytes;
}
