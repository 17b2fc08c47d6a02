import type { IncomingMessage } from 'node:http';

/** Most bytes of a refused body that are read, so that the client gets to see the response. */
const DISCARD_BYTES_MAX = 64 * 1024 * 1024;

/** Reads and drops the rest of a body: a client that is still sending reads the response only then. */
export function discardBody(request: IncomingMessage): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARD_BYTES_MAX) request.destroy();
  });
  request.resume();
}
