import { ExpressAdapter } from '@nestjs/platform-express';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Config } from '../config/config.js';

/** How often the server looks for connections that take too long. */
const TIMEOUT_CHECK_MS = 1_000;

/** Answers some requests itself, before Express sees them. */
export interface Front {
  /** False leaves the request to Express. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** One HTTP server with a handler in front of Express, and time-outs for slow clients. */
export class FrontedAdapter extends ExpressAdapter {
  front: Front | null = null;

  constructor(private readonly config: Config) {
    super();
  }

  override initHttpServer(): void {
    const express =
      this.getInstance<(request: IncomingMessage, response: ServerResponse) => void>();
    this.httpServer = createServer(
      {
        headersTimeout: this.config.headerTimeoutMs,
        requestTimeout: this.config.bodyTimeoutMs,
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      },
      (request, response) => {
        if (!this.front?.handle(request, response)) express(request, response);
      },
    );
  }
}
