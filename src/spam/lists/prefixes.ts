/** Beginnings of texts, by their length: how long a look-up takes does not depend on how many there are. */
export class Prefixes {
  private readonly byLength = new Map<number, Set<string>>();

  get isEmpty(): boolean {
    return this.byLength.size === 0;
  }

  add(prefix: string): void {
    const known = this.byLength.get(prefix.length);
    if (known) known.add(prefix);
    else this.byLength.set(prefix.length, new Set([prefix]));
  }

  /** Returns a prefix that a text begins with at a place; null when there is none. */
  find(text: string, from = 0): string | null {
    for (const [length, known] of this.byLength) {
      const start = text.slice(from, from + length);
      if (known.has(start)) return start;
    }
    return null;
  }

  /** Returns one that a text has anywhere; null when there is none. */
  findWithin(text: string): string | null {
    if (this.byLength.size === 0) return null;
    for (let from = 0; from < text.length; from++) {
      const found = this.find(text, from);
      if (found !== null) return found;
    }
    return null;
  }
}
