import type { IncomingMessage } from 'node:http';

/** Holds what has come of a body. */
export class BodyBeginning {
  private readonly chunks: Buffer[] = [];
  bytes = 0;

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  get all(): Buffer {
    const [first] = this.chunks;
    return this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks, this.bytes);
  }
}

/**
 * Shows the beginning of a body, more and more of it until there is enough, and puts back what it has read.
 * @param isEnough looks at what has come so far, and is told once that is all of it
 */
export async function peek(
  request: IncomingMessage,
  isEnough: (body: BodyBeginning, isWhole: boolean) => boolean,
): Promise<void> {
  const body = new BodyBeginning();
  const sees = (): boolean => {
    // To read when nothing is left would end the stream.
    while (request.readableLength > 0) {
      const chunk = request.read() as Buffer | null;
      if (chunk === null) break;
      body.add(chunk);
    }
    return isEnough(body, request.complete) || request.complete || request.destroyed;
  };
  // In the same turn, or the stream would end.
  const putBack = (): void => {
    if (body.bytes > 0) request.unshift(body.all);
  };
  if (sees()) {
    putBack();
    return;
  }
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (!sees()) return;
      request.off('readable', look).off('close', look);
      putBack();
      resolve();
    };
    request.on('readable', look).once('close', look);
  });
}
