import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const logger = new Logger('Request');

/**
 * Gives every request an id, taken over from `X-Request-Id` when that is a UUID, and writes one line
 * when it is answered. The line names the route, not the address: paths and queries may hold
 * personal data.
 */
export function requestLog(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id') ?? '';
  const id = UUID.test(given) ? given : randomUUID();
  const begin = process.hrtime.bigint();
  response.locals.requestId = id;
  response.set('X-Request-Id', id);
  response.on('close', () => {
    logger.log('Answered', {
      requestId: id,
      method: request.method,
      route: (request.route as { path?: string } | undefined)?.path ?? null,
      status: response.writableFinished ? response.statusCode : null,
      ms: Number(process.hrtime.bigint() - begin) / 1e6,
    });
  });
  next();
}

/** The id that `requestLog` gave. */
export function requestIdOf(response: Response): string {
  return String(response.locals.requestId ?? randomUUID());
}
