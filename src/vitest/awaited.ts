/** A value for each name: whoever comes first, asks for it or gives it. */
export class Awaited<T> {
  readonly #values = new Map<string, { value: Promise<T>; give: (value: T) => void }>();

  of(name: string): Promise<T> {
    return this.#at(name).value;
  }

  give(name: string, value: T): void {
    this.#at(name).give(value);
  }

  #at(name: string) {
    const known = this.#values.get(name);
    if (known) return known;
    let give: (value: T) => void = () => {};
    const value = new Promise<T>((resolve) => {
      give = resolve;
    });
    this.#values.set(name, { value, give });
    return { value, give };
  }
}
