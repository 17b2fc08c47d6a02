import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Registry } from 'prom-client';
import {
  Config,
  Hooks,
  diskSpaceAt,
  logOutput,
  askedSeldom,
  gauge,
  Measured,
  measureNode,
  type Metric,
  expositionOf,
  hashSecret,
} from '../../platform/index.js';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { timingSafeEqual } from 'node:crypto';

/** The text format of Prometheus. */
const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Renders the metrics of all rooms, of this process and of Node itself in the text format of Prometheus. */
@Injectable()
export class Metrics {
  readonly mediaType = MEDIA_TYPE;
  private node: Promise<Registry> | null = null;
  private readonly disk = askedSeldom(() => diskSpaceAt(this.config.dataDir));

  constructor(
    private readonly config: Config,
    private readonly hooks: Hooks,
  ) {}

  /** Returns all metrics with their values now. The first call begins to measure Node itself. */
  async text() {
    const node = await (this.node ??= measureNode());
    const all: Metric[] = [];
    // One after the other, so that the pools' metrics do not count queries of the others.
    for (const { run } of this.hooks.all(Measured)) all.push(...(await run()));
    return `${await expositionOf(all)}\n${await node.metrics()}`;
  }

  @Measured()
  async metrics() {
    const disk = await this.disk();
    return [
      gauge('fcs_data_size_bytes', 'Size of the file system of DATA_DIR.', disk?.size ?? null),
      gauge('fcs_data_free_bytes', 'What is free on the file system of DATA_DIR.', disk?.free ?? null),
      gauge('fcs_log_lines_lost', 'Log lines since the start that could not be written.', logOutput.lost),
    ];
  }
}

/**
 * Serves `GET /metrics` and nothing else on METRICS_PORT, so that a firewall can keep visitors away from
 * it, and so that a process with WORKERS=only has metrics too.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch((error: unknown) => {
      this.logger.error('Metrics cannot be read', { error });
      end(response, 500);
    });
  });

  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  async onApplicationBootstrap() {
    const { metricsPort, host } = this.config;
    if (metricsPort === undefined) return;
    this.server.listen(metricsPort, host);
    await once(this.server, 'listening');
  }

  /** Closes last, so that a slow shutdown can be watched. */
  async onApplicationShutdown() {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const { method, url = '', headers } = request;
    const { metricsToken } = this.config;
    if (url.split('?')[0] !== '/metrics') end(response, 404);
    else if (method !== 'GET' && method !== 'HEAD') end(response, 405, { Allow: 'GET, HEAD' });
    else if (metricsToken !== undefined && !hasMetricsToken(headers.authorization, metricsToken)) {
      end(response, 401, { 'WWW-Authenticate': 'Bearer' });
    } else {
      const text = await this.metrics.text();
      end(response, 200, { 'Content-Type': this.metrics.mediaType }, text);
    }
  }
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}, text = '') {
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers });
  response.end(text);
}

const BEARER = /^Bearer +([^ ].*)$/i;

/**
 * Tells whether a request may read metrics.
 * @param authorization header of the request
 * @param token the secret of METRICS_TOKEN
 */
export function hasMetricsToken(authorization: string | undefined, token: string) {
  const given = BEARER.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hashSecret(given), hashSecret(token)); // hashed, since timingSafeEqual wants equal lengths
}
