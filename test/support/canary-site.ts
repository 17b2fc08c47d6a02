import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Serves pages of a site, by their path. */
export class CanarySite {
  /** By path; what is not here is 404. */
  pages: Record<string, Answer> = {};
  /** Paths that were asked for, in order. */
  asked: string[] = [];
  private readonly server = createServer((request, response) => {
    const { url = '' } = request;
    this.asked.push(url);
    const answer = this.pages[url] ?? ((other) => other.writeHead(404).end());
    answer(response, request);
  });

  static async start(): Promise<CanarySite> {
    const site = new CanarySite();
    site.server.listen(0, '127.0.0.1');
    await once(site.server, 'listening');
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

/** Answers with a page. */
export function html(text: string, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text);
  };
}

/** Answers with a status. */
export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, headers).end();
  };
}
