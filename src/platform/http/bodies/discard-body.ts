import type { IncomingMessage } from 'node:http';

/**
 * Most bytes of a refused body that are read, more than the default upload; then the connection is closed.
 */
const DISCARD_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Reads and drops the rest of a body, since many clients read the response only after they have sent
 * everything.
 */
export function discardBody(request: IncomingMessage): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARD_BYTES_MAX) request.destroy();
  });
  request.resume();
}
