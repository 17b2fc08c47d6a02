/** Counts the submissions under way by the network they come from. */
export class NetworksUnderWay {
  private readonly counts = new Map<string, number>();

  /** Number of networks with submissions under way. */
  get size(): number {
    return this.counts.size;
  }

  /** @returns how many the network has under way, with this one */
  begin(network: string): number {
    const count = (this.counts.get(network) ?? 0) + 1;
    this.counts.set(network, count);
    return count;
  }

  end(network: string): void {
    const left = (this.counts.get(network) ?? 1) - 1;
    if (left === 0) this.counts.delete(network);
    else this.counts.set(network, left);
  }
}
