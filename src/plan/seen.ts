/** Texts that are kept at most: of 200,000, two of different text are taken for the same once in 200,000 runs. */
const MOST = 200_000;

/** Tells whether a text was there before, of very many, and keeps none of them: eight bytes for each. */
export class Seen {
  /** Open addressing; 0 is a free place. */
  #places = new Float64Array(1024);
  #count = 0;

  /** Adds a text. Returns whether it was there before. */
  add(text: string): boolean {
    const hash = hashOf(text);
    if (this.#isIn(hash)) return true;
    if (this.#count >= MOST) return false;
    this.#count += 1;
    if (2 * this.#count > this.#places.length) this.#grow();
    this.#places[this.#placeOf(hash)] = hash;
    return false;
  }

  #isIn(hash: number): boolean {
    return this.#places[this.#placeOf(hash)] === hash;
  }

  /** Where a hash is, or else the free place for it. */
  #placeOf(hash: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    let at = hash & mask;
    while (places[at] !== 0 && places[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Float64Array(2 * before.length);
    for (const hash of before) if (hash !== 0) this.#places[this.#placeOf(hash)] = hash;
  }
}

/** A hash of 52 bits that is not 0: FNV-1a, and another from both ends of its multiplication. */
function hashOf(text: string): number {
  let [one, two] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code ^ (one >>> 15), 0x85ebca6b);
  }
  return (one >>> 0) * 2 ** 20 + ((two >>> 8) & 0xfffff) + 1;
}
