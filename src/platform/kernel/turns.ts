/** Lets only so many pieces of work run at a time; the others wait, in the order they came. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running < this.most) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // Whoever waits takes the place over.
      if (next) next();
      else this.running--;
    }
  }

  /** Takes a turn for each piece that is read. */
  async *through<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
    try {
      for (;;) {
        const read = await this.run(() => pieces.next());
        if (read.done === true) return;
        yield read.value;
      }
    } finally {
      await pieces.return(undefined);
    }
  }
}
