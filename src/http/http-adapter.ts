import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer } from 'node:http';

/**
 * Largest head of a request. Node's own 16 KiB are less than a query string with 500 ids of forms,
 * each under its percent-encoded name.
 */
const HEAD_LIMIT_BYTES = 32 * 1024;

/** Express behind Node's server, which Nest would make without any limits of ours. */
export class HttpAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    this.httpServer = createServer({ maxHeaderSize: HEAD_LIMIT_BYTES }, this.getInstance());
  }
}
