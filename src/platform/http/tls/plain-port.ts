import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isHostAmong, parseHostName } from '../../config/own-hosts.js';
import { Config } from '../../config/config.js';
import { boundedOptions, boundServer } from '../requests/connections.js';

const CHALLENGES = '/.well-known/acme-challenge/';

/** Listens on HTTP_PORT: answers the challenges of an authority, and sends everybody else to https. */
@Injectable()
export class PlainPort implements BeforeApplicationShutdown {
  /** Token of each challenge that is under way -> its answer. */
  readonly challenges = new Map<string, string>();
  private readonly server;

  constructor(private readonly config: Config) {
    this.server = createServer(boundedOptions(config), (request, response) => {
      this.answer(request, response);
    });
  }

  /** Begins to listen, unless there is no HTTP_PORT. */
  async open(): Promise<void> {
    const { tls, host } = this.config;
    if (tls.httpPort === undefined) return;
    boundServer(this.server, this.config);
    this.server.listen(tls.httpPort, host);
    await once(this.server, 'listening');
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private answer(
    { method = '', url = '/', headers }: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (url.startsWith(CHALLENGES)) {
      const answer = this.challenges.get(url.slice(CHALLENGES.length));
      response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'text/plain' });
      response.end(answer ?? 'No certificate is being ordered with this challenge.\n');
      return;
    }
    // 308 keeps the method and the body of a form that still names http.
    const status = method === 'GET' || method === 'HEAD' ? 301 : 308;
    const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');
    response
      .writeHead(status, { Location: this.targetOf(headers.host) + path, 'Content-Length': 0 })
      .end();
  }

  /** Returns where a request goes on: to its own host if clients can have that, else to BASE_URL. */
  private targetOf(host = ''): string {
    const name = parseHostName(host.replace(/:\d+$/, ''));
    if (name === null || !isHostAmong(name, this.config.http.hosts)) return this.config.baseUrl;
    const { port } = new URL(this.config.baseUrl);
    return `https://${name}${port === '' ? '' : `:${port}`}`;
  }
}
