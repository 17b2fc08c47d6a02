import { Controller, HttpStatus, Post, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { CurrentPrincipal, ForeignRequest, Principal } from '../accounts/access/index.js';
import { PublicAddresses } from '../clients/hosts/hosts.service.js';
import { Config, VERSION } from '../platform/index.js';
import { askWithin, ReadsLong, requestIdOf } from '../platform/http/index.js';
import { ProblemAnswered, requestOf } from './operations.js';
import type { Call } from './tools.js';

/** Codes of JSON-RPC 2.0. */
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;

/**
 * Serves agents by the Model Context Protocol, in its revision 2026-07-28 and those before it. It keeps nothing between
 * requests: each shows its token, and each call of a tool goes through the API, with all that this checks and records.
 */
@Controller('mcp')
@ApiExcludeController()
export class McpController {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Answer a message of an agent. */
  @Post()
  @ReadsLong()
  async answer(@CurrentPrincipal() principal: Principal, @Req() request: Request, @Res() response: Response) {
    const { method, headers } = request;
    const { origin } = headers;
    // Names that lead to this machine would let pages of others in (DNS rebinding).
    if (origin !== undefined && origin !== new URL(await this.addresses.ofRequest(request)).origin) {
      throw new ForeignRequest();
    }
    const body = request.body as unknown;
    const refusal = refusalOf(body);
    if (refusal) {
      response.status(refusal.status).json(refusal.body);
      return;
    }
    // Loaded when the first agent comes.
    const { answerAgent } = await import('./agent-server.js');
    const { baseUrl } = this.config;
    const plain = Object.entries(headers).filter((each): each is [string, string] => typeof each[1] === 'string');
    const call = this.callFor(principal, request, response);
    const asked = new globalThis.Request(`${baseUrl}/mcp`, { method, headers: plain });
    const answer = await answerAgent({ principal, call, baseUrl, version: VERSION }, asked, body);
    answer.headers.delete('connection');
    response.status(answer.status).setHeaders(answer.headers);
    response.set('Cache-Control', 'no-store');
    if (answer.body) Readable.fromWeb(answer.body as ReadableStream).pipe(response);
    else response.end();
  }

  /** Returns how an agent calls the API: within this process, by its own token and from its own address. */
  private callFor({ actor }: Principal, { headers: { authorization } }: Request, response: Response): Call {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const headers = { authorization, accept: 'application/json', 'x-request-id': requestIdOf(response) };
    return async (operation, values) => {
      const inner = requestOf(operation, values);
      const { status, body } = await askWithin(server, { ...inner, headers, address: actor.address ?? '' });
      if (status >= 400) throw new ProblemAnswered(status, body);
      return body;
    };
  }
}

/** Refuses what would cost many calls for one, and streams, which nothing here would ever write to; null for the rest. */
function refusalOf(body: unknown) {
  const { id = null, method } = (body ?? {}) as { id?: unknown; method?: unknown };
  const refuse = (status: number, code: number, message: string) => {
    return { status, body: { jsonrpc: '2.0', id, error: { code, message } } };
  };
  if (Array.isArray(body)) return refuse(HttpStatus.BAD_REQUEST, INVALID_REQUEST, 'Send one message at a time.');
  if (method === 'subscriptions/listen') {
    return refuse(
      HttpStatus.NOT_FOUND,
      METHOD_NOT_FOUND,
      'Nothing here changes by itself. Ask again when you need it.',
    );
  }
  return null;
}
