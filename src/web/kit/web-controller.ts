import {
  applyDecorators,
  Controller,
  createParamDecorator,
  UseFilters,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import type { Response } from 'express';
import { WebPage, type WebAudience } from '../../access/access.decorators.js';
import type { Principal } from '../../access/principal.js';
import type { PageRequest } from '../../auth/session.guard.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { recordIdOf } from '../../platform/http/record-id.pipe.js';
import { uuidOf } from '../../platform/kernel/uuid.js';
import { WebFilter } from '../layout/web.filter.js';
import type { Typed } from '../parts/typed.js';
import { PageInterceptor } from './page.interceptor.js';

/**
 * Marks a controller of pages: opened by the cookie of a session, read and answered as forms and pages, errors too, left
 * out of the API's document.
 * @param path several where the same pages stand in several places
 * @param audience by default people who act for an account or a client
 */
export const WebController = (path: string | string[] = '', audience?: WebAudience) =>
  applyDecorators(
    Controller(path),
    WebPage(audience),
    UseFilters(WebFilter),
    UseInterceptors(PageInterceptor),
  );

/** A request for a page, as its handler sees it. */
export interface PageInput {
  /** The one whom the person acts for; there is none on pages for other audiences than members. */
  principal: Principal;
  /** The form in the path. */
  identifier: string;
  /** The UUID in the path; null for other text, which is answered like an unknown one. */
  id: Buffer | null;
  /** The number in the path; for other text one that nothing has. */
  recordId: number;
  query: Typed;
  /** The form that was sent; absent without a body. */
  typed: Typed | undefined;
  /** The person and the session; there is none before sign-in. */
  signedIn: SignedIn;
  request: PageRequest;
  /** For cookies and headers; what is sent is what the handler returns. */
  response: Response;
}

/** Hands the handler its request. */
export const Asked = createParamDecorator((_: undefined, context: ExecutionContext): PageInput => {
  const http = context.switchToHttp();
  const request = http.getRequest<PageRequest>();
  const { user, signedIn, query, params } = request;
  const id = String(params.id);
  return {
    ...{ principal: user, signedIn, identifier: params.identifier },
    ...{ id: uuidOf(id), recordId: recordIdOf(id) },
    ...{ query, typed: request.body as Typed | undefined },
    ...{ request, response: http.getResponse<Response>() },
  } as PageInput;
});
