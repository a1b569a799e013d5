/**
 * Returns the values in the text of a finding that may occur in a response: statuses, and values as
 * JSON. Pure.
 */
export function valuesNamedIn(got = ''): ReadonlySet<string> {
  const statuses = got.match(/(?<!\S)[1-5]\d\d(?= |$)/g) ?? [];
  const strings = got.match(/"(?:[^"\\]|\\.)+"/g) ?? [];
  const literals = got.match(/(?<=^|; )(?:true|false|null|-?\d+(?:\.\d+)?)(?= \(|$|;)/g) ?? [];
  return new Set([...statuses, ...strings, ...literals]);
}

/**
 * Returns where the first of some JSON values begins and ends in a JSON text; undefined if the text
 * has none of them.
 */
export function findValue(
  text: string,
  values: ReadonlySet<string>,
): [start: number, end: number] | undefined {
  for (const value of values) {
    const pattern = value.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
    const match = new RegExp(`(?<=(?:^|[:,[])\\s*)${pattern}(?=\\s*(?:[,}\\]]|$))`).exec(text);
    if (match) return [match.index, match.index + value.length];
  }
  return undefined;
}
