/** Reads one piece ahead: a database server works on it while the one before is used. */
export async function* readAhead<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  try {
    for (let next = pieces.next(); ;) {
      const read = await next;
      if (read.done === true) return;
      next = pieces.next();
      // Seen when it is its turn; until then nobody listens to it.
      next.catch(() => undefined);
      yield read.value;
    }
  } finally {
    await pieces.return(undefined);
  }
}
