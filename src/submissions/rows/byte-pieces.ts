/** Returns an id as a key of a map. */
export function keyOf(id: Buffer): string {
  return id.toString('latin1');
}

/**
 * Divides ids so that the texts of each piece have at most `maxBytes` together, or are of one id.
 * @param sizes bytes of the text of each id, as `textSizes` reads them; ids without one are left out
 */
export function inPieces(
  ids: readonly Buffer[],
  sizes: ReadonlyMap<string, number>,
  maxBytes: number,
): Buffer[][] {
  const pieces: Buffer[][] = [];
  let left = 0;
  for (const id of ids) {
    const bytes = sizes.get(keyOf(id));
    if (bytes === undefined) continue;
    left -= bytes;
    const piece = pieces.at(-1);
    if (piece && left >= 0) piece.push(id);
    else {
      pieces.push([id]);
      left = maxBytes - bytes;
    }
  }
  return pieces;
}
