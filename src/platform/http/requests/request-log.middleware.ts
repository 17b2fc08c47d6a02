import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import type { RequestMetrics } from './request-metrics.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const logger = new Logger('Request');

/**
 * Gives every request an id, from `X-Request-Id` when that is a UUID. Once the request is answered it logs
 * a line and records its duration. Both name the route and not the path, which may contain personal data.
 */
export function requestLog(requestMetrics: RequestMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const id = requestIdGiven(request.headers['x-request-id']);
    const begin = performance.now();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    response.on('close', () => {
      const { method } = request;
      const route = (request.route as { path?: string } | undefined)?.path ?? null;
      const status = response.writableFinished ? response.statusCode : null;
      const ms = performance.now() - begin;
      requestMetrics.record(method, route, status, ms);
      logger.log('Answered', { requestId: id, method, route, status, ms: roundedMs(ms) });
    });
    next();
  };
}

/** Returns the id that came with a request when it is a UUID, else a new one. */
export function requestIdGiven(header: string | string[] | undefined): string {
  return typeof header === 'string' && UUID.test(header) ? header : randomUUID();
}

/** Rounds milliseconds for the log to tenths. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Returns the id that `requestLog` gave the request. */
export function requestIdOf(response: Response): string {
  return String(response.locals.requestId ?? randomUUID());
}
