import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalSite } from './local-server.js';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Serves pages of a site, by their path. */
export class CanarySite extends LocalSite {
  /** By path; what is not here is 404. */
  pages: Record<string, Answer> = {};
  /** Paths that were asked for, in order. */
  asked: string[] = [];

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request;
    this.asked.push(url);
    const answer = this.pages[url] ?? status(404);
    answer(response, request);
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
