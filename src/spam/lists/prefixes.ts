import { setImmediate as nextTurn } from 'node:timers/promises';
import { inSlices } from '../../platform/kernel/slices.js';

/** Texts that are sorted in one turn of the event loop, which takes a millisecond or two. */
const SORTED_AT_ONCE = 5_000;

/**
 * Beginnings of texts. They are sorted, and none is the beginning of another one, so the only one that a text can begin
 * with is the last one that is not greater than the text.
 */
export class Prefixes {
  private constructor(
    private readonly sorted: readonly string[],
    /** The first two characters of each. */
    private readonly starts: ReadonlySet<string>,
  ) {}

  /** Leaves the event loop to others in between. */
  static async of(texts: string[]): Promise<Prefixes> {
    const shortest: string[] = [];
    for (const text of await sortedInTurns(texts)) {
      const last = shortest.at(-1);
      if (last === undefined || !text.startsWith(last)) shortest.push(text);
    }
    await nextTurn();
    return new Prefixes(shortest, new Set(shortest.map((text) => text.slice(0, 2))));
  }

  get isEmpty(): boolean {
    return this.sorted.length === 0;
  }

  /** Tells whether a text begins with one of them at a place. */
  begin(text: string, from = 0): boolean {
    if (!this.starts.has(text.slice(from, from + 2))) return false;
    const rest = text.slice(from);
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? '') <= rest) low = middle + 1;
      else high = middle;
    }
    const nearest = this.sorted[low - 1];
    return nearest !== undefined && rest.startsWith(nearest);
  }

  /** Tells whether a text has one of them anywhere. */
  areIn(text: string): boolean {
    if (this.isEmpty) return false;
    for (let from = 0; from < text.length; from++) if (this.begin(text, from)) return true;
    return false;
  }
}

async function sortedInTurns(texts: string[]): Promise<string[]> {
  let runs: string[][] = [];
  for (const some of inSlices(texts, SORTED_AT_ONCE)) {
    runs.push(some.sort());
    await nextTurn();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(mergedOf(runs[at] ?? [], runs[at + 1] ?? []));
      await nextTurn();
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function mergedOf(some: readonly string[], others: readonly string[]): string[] {
  const merged: string[] = [];
  let at = 0;
  for (const text of some) {
    for (let other = others[at]; other !== undefined && other < text; other = others[++at])
      merged.push(other);
    merged.push(text);
  }
  return merged.concat(others.slice(at));
}
