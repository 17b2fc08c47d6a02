/** Returns slices of a list, of this length but for the last. */
export function* inSlices<Each>(all: readonly Each[], length: number): Generator<Each[]> {
  for (let from = 0; from < all.length; from += length) yield all.slice(from, from + length);
}
