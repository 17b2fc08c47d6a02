/** Counts what is under way by whom it is for. */
export class UnderWay<Key> {
  private readonly counts = new Map<Key, number>();

  /** Number of those for whom something is. */
  get size(): number {
    return this.counts.size;
  }

  /** @returns how many are under way, with this one */
  begin(key: Key): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }

  end(key: Key): void {
    const left = (this.counts.get(key) ?? 1) - 1;
    if (left === 0) this.counts.delete(key);
    else this.counts.set(key, left);
  }
}
