import {
  Injectable,
  SetMetadata,
  type CallHandler,
  type CustomDecorator,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { json, urlencoded, type Request, type RequestHandler, type Response } from 'express';
import type { Observable } from 'rxjs';
import { API_BODY_LIMIT_BYTES, STRANGERS_FORM_LIMIT_BYTES } from './api-body-limit.js';
import { BodiesUnderWay } from './bodies-under-way.js';
import { hasBody } from './has-body.js';
import { BodyTooLarge, UnsupportedMediaType } from './http.errors.js';
import { refuseCostly } from './refuse-costly.js';

const ALSO_READS = Symbol('also reads');
const READS_FORMS = Symbol('reads forms');
/** A request once the guards have looked at it; memory for bodies is shared out by account. */
type AdmittedRequest = Request & { user?: { readonly accountId: number } };

const readJson = json({ limit: API_BODY_LIMIT_BYTES });
const readForm = urlencoded({ extended: false, limit: API_BODY_LIMIT_BYTES });
const readStrangersForm = urlencoded({ extended: false, limit: STRANGERS_FORM_LIMIT_BYTES });
/** Whose memory the forms of people take who have not signed in; no account has this id. */
const STRANGERS = 0;

/** Makes the routes of a controller read bodies, after JSON was tried, by these handlers in turn. */
export const AlsoReads = (...handlers: RequestHandler[]): CustomDecorator<symbol> =>
  SetMetadata(ALSO_READS, handlers);

/** Makes routes read what a form of a page sends, and nothing else; without a principal a short one. */
export const ReadsForms = (): CustomDecorator<symbol> => SetMetadata(READS_FORMS, true);

/**
 * Reads the body of a request. It runs after all guards, so nobody's body is read who may not send
 * it, and before the pipes that check it. Routes without a principal take no body, but for forms.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly bodies: BodiesUnderWay,
  ) {}

  /**
   * @throws MalformedBody, UnsupportedMediaType, BodyTooLarge, and what the parsers throw
   * @throws TooManyBodies, TooManyBodiesOfAccount
   */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest>();
    const { user } = request;
    if (this.readsForms(context)) {
      await this.takeForm(request, http.getResponse<Response>());
      return next.handle();
    }
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

  private readsForms(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(READS_FORMS, targets) ?? false;
  }

  private async takeForm(request: AdmittedRequest, response: Response): Promise<void> {
    if (!hasBody(request)) return;
    const { user } = request;
    const limit = user ? API_BODY_LIMIT_BYTES : STRANGERS_FORM_LIMIT_BYTES;
    // The parser would wait for the whole of it before it refuses.
    if (Number(request.headers['content-length'] ?? 0) > limit) throw new BodyTooLarge(limit);
    const end = this.bodies.begin(request, user?.accountId ?? STRANGERS, limit);
    try {
      await read(request, response, [user ? readForm : readStrangersForm]);
    } finally {
      end();
    }
    if (request.body === undefined) throw new UnsupportedMediaType();
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
