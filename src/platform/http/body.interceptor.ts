import {
  Injectable,
  SetMetadata,
  type CallHandler,
  type CustomDecorator,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { json, type Request, type RequestHandler, type Response } from 'express';
import type { Observable } from 'rxjs';
import { API_BODY_LIMIT_BYTES } from './api-body-limit.js';
import { BodiesUnderWay } from './bodies-under-way.js';
import { hasBody } from './has-body.js';
import { UnsupportedMediaType } from './http.errors.js';
import { refuseCostly } from './refuse-costly.js';

const ALSO_READS = Symbol('also reads');
/** A request once the guards have looked at it; memory for bodies is shared out by account. */
type AdmittedRequest = Request & { user?: { readonly accountId: number } };

const readJson = json({ limit: API_BODY_LIMIT_BYTES });

/** Makes the routes of a controller read bodies, after JSON was tried, by these handlers in turn. */
export const AlsoReads = (...handlers: RequestHandler[]): CustomDecorator<symbol> =>
  SetMetadata(ALSO_READS, handlers);

/**
 * Reads the body of a request. It runs after all guards, so nobody's body is read who may not send
 * it, and before the pipes that check it. Routes without a principal take no body.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly bodies: BodiesUnderWay,
  ) {}

  /**
   * @throws MalformedBody, UnsupportedMediaType, and what the parsers throw
   * @throws TooManyBodies, TooManyBodiesOfAccount
   */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest>();
    const { user } = request;
    if (user === undefined) return next.handle();
    const more = this.reflector.get<RequestHandler[] | undefined>(ALSO_READS, context.getClass());
    const given = hasBody(request);
    if (given || more) {
      const end = given ? this.bodies.begin(request, user.accountId) : undefined;
      try {
        await read(request, http.getResponse<Response>(), [readJson, ...(more ?? [])]);
      } finally {
        end?.();
      }
    }
    if (given && request.body === undefined) throw new UnsupportedMediaType();
    return next.handle();
  }
}

async function read(
  request: Request,
  response: Response,
  handlers: RequestHandler[],
): Promise<void> {
  for (const handler of handlers) {
    await new Promise<void>((resolve, reject) => {
      void handler(request, response, (error?: unknown) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
    });
    refuseCostly(request.body);
  }
}
