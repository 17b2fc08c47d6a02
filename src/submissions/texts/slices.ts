/** Submissions of a block. */
export const BLOCK_ROWS = 4_096;
/** Slices of a block: with texts of 600 bytes, a word of eight letters is suspected in 3 of 1,000 that lack it. */
export const SLICES = 2_048;
const SLICE_BYTES = BLOCK_ROWS / 8;
/** Bytes in a row that a slice stands for, among others. */
const GRAM_BYTES = 3;
/** Knuth's multiplier, and what leaves the highest eleven bits: as many as SLICES has numbers. */
const MULTIPLIER = 2_654_435_761;
const SHIFT = 21;

/** Returns the slices of all three bytes in a row of a text; none for a shorter one. */
export function slicesOf(text: Uint8Array): Set<number> {
  const slices = new Set<number>();
  for (let at = GRAM_BYTES; at <= text.length; at++) slices.add(sliceAt(text, at));
  return slices;
}

/** Holds the slices of a block while it is made. */
export class SliceMatrix {
  private readonly bits = new Uint8Array(SLICES * SLICE_BYTES);

  /** Adds the text at a position of the block; null is one that may have anything. */
  add(position: number, text: Uint8Array | null): void {
    const [byte, bit] = [position >> 3, 1 << (position & 7)];
    if (text === null) {
      for (let slice = 0; slice < SLICES; slice++) this.set(slice, byte, bit);
      return;
    }
    // Not by way of a set: there are millions of them.
    for (let at = GRAM_BYTES; at <= text.length; at++) this.set(sliceAt(text, at), byte, bit);
  }

  /** Returns the bits of a slice. */
  slice(number: number): Buffer {
    return Buffer.from(this.bits.subarray(number * SLICE_BYTES, (number + 1) * SLICE_BYTES));
  }

  private set(slice: number, byte: number, bit: number): void {
    const at = slice * SLICE_BYTES + byte;
    this.bits[at] = (this.bits[at] ?? 0) | bit;
  }
}

/** Returns the positions whose bits are set in all of these slices. */
export function positionsIn(slices: readonly Uint8Array[]): number[] {
  const [first, ...others] = slices;
  const positions: number[] = [];
  first?.forEach((bits, byte) => {
    let all = bits;
    for (const other of others) all &= other[byte] ?? 0;
    for (let bit = 0; all >> bit > 0; bit++) if ((all >> bit) & 1) positions.push(byte * 8 + bit);
  });
  return positions;
}

/** Returns the slice of the bytes that end before this place. */
function sliceAt(text: Uint8Array, end: number): number {
  const gram = ((text[end - 3] ?? 0) << 16) | ((text[end - 2] ?? 0) << 8) | (text[end - 1] ?? 0);
  return Math.imul(gram, MULTIPLIER) >>> SHIFT;
}
