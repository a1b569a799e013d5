/** Milliseconds as a reader takes them in: `12 ms`, `1.2 s`. */
export function milliseconds(value: number): string {
  return value < 1000 ? `${value} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** A point in the run: `0.512 s`. */
export function seconds(value: number): string {
  return `${(value / 1000).toFixed(3)} s`;
}

/** Steps of 1, 2 and 5, of which `most` at the most are in a span: for the marks of an axis. */
export function marks(span: number, most: number): number[] {
  let step = 1;
  for (let turn = 0; span / step > most; turn += 1) step *= turn % 3 === 1 ? 2.5 : 2;
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => index * step);
}
