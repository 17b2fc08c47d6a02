import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  applyDecorators,
  Controller,
  createParamDecorator,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import type { PageRequest } from '../../people/auth/session.guard.js';
import { FormHeads } from '../form-head/form-head.js';
import { latestOffer, setOffer, setRedirect } from '../layout/cookies.js';
import { Frames, isByScript } from '../layout/frames.js';
import { WebFilter } from '../layout/web.filter.js';
import { renderPage, SECRET, setFrameHeaders, setPageHeaders } from '../layout/send-page.js';
import { type Frame, FrameContext } from '../layout/shell.js';
import type { PageAnswer } from './answers.js';
import { WebPage, type WebAudience, type Principal } from '../../accounts/access/index.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { recordIdOf } from '../../platform/http/index.js';
import { uuidOf } from '../../platform/index.js';
import type { Typed } from '../parts/index.js';

const NO_CONTENT = 204;

/** Sends what a handler answers: the page in its frame, or the way to the next one. */
@Injectable()
class PageInterceptor implements NestInterceptor {
  constructor(
    private readonly frames: Frames,
    private readonly heads: FormHeads,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<string | undefined> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<PageRequest>(), http.getResponse<Response>()];
    return next.handle().pipe(mergeMap((answer?: PageAnswer) => this.prepare(request, response, answer)));
  }

  /**
   * Sets status and headers.
   * @param answer left out by handlers that send something else themselves
   * @param more of the frame than this request tells
   * @returns the body
   */
  private async prepare(
    request: PageRequest,
    response: Response,
    answer: PageAnswer | undefined,
    more: Partial<Frame> = {},
  ): Promise<string | undefined> {
    if (answer === undefined) return undefined;
    if ('body' in answer) {
      response.status(NO_CONTENT);
      return undefined;
    }
    if ('to' in answer) {
      const { instead, flash, undo } = answer;
      if (instead && isByScript(request)) {
        const offer = setOffer(response, undo);
        const said = flash ? { flash, key: offer?.key ?? '' } : null;
        const more = { flash: said, offer: offer ?? latestOffer(request) };
        return this.prepare(request, response, await instead(), more);
      }
      setRedirect(response, answer.to, answer.flash, answer.undo);
      if (answer.status) response.status(answer.status);
      return undefined;
    }
    if ('html' in answer) {
      setFrameHeaders(response, 200, answer.policy);
      return answer.html;
    }
    if ('framed' in answer) {
      setFrameHeaders(response, answer.status);
      return renderPage(answer.framed);
    }
    const { form, draw, status = 200, isSecret, isSignedOut, brandOf } = answer;
    const signedIn = isSignedOut ? null : (request.signedIn ?? null);
    const frame = { ...(await this.frames.of(request, response, signedIn)), ...more };
    if (brandOf && !signedIn) frame.brand = await this.frames.brandOf(brandOf);
    const head = form && request.user ? await this.heads.of(request.user, form) : null;
    setPageHeaders(response, status, isSecret ? SECRET : undefined);
    return renderPage(<FrameContext.Provider value={frame}>{draw(head)}</FrameContext.Provider>);
  }
}

/** Handlers of pages: each answers with a page, or sends something else itself. */
type Handlers<Controls> = { [Name in keyof Controls]: Answering | Sending };
type Answering = (...asked: never[]) => PageAnswer | undefined | Promise<PageAnswer | undefined>;
type Sending = (...asked: never[]) => Promise<void>;

/**
 * Marks a controller of pages: opened by the cookie of a session, read and answered as forms and pages, errors too, left
 * out of the API's document.
 * @param path several where the same pages stand in several places
 * @param audience by default people who act for an account or a client
 */
export const WebController = (
  path: string | string[] = '',
  audience?: WebAudience,
): (<Controls extends Handlers<Controls>>(controller: new (...given: never[]) => Controls) => void) =>
  applyDecorators(Controller(path), WebPage(audience), UseFilters(WebFilter), UseInterceptors(PageInterceptor));

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
  /** The number of a person in the path, as `recordId`. */
  personId: number;
  query: Typed;
  /** The form that was sent; absent without a body. */
  typed: Typed | undefined;
  /** The person and the session; on pages for everybody, see `OpenPageInput`. */
  signedIn: SignedIn;
  request: PageRequest;
  /** For cookies and headers; what is sent is what the handler returns. */
  response: Response;
}

/** A request for a page that everybody may open. */
export interface OpenPageInput extends Omit<PageInput, 'signedIn'> {
  signedIn: SignedIn | undefined;
}

/** Hands the handler its request. */
export const Asked = createParamDecorator((_: undefined, context: ExecutionContext): PageInput => {
  const http = context.switchToHttp();
  const request = http.getRequest<PageRequest>();
  const { user, signedIn, query, params } = request;
  const id = String(params.id);
  return {
    ...{ principal: user, signedIn, identifier: params.identifier },
    ...{ id: uuidOf(id), recordId: recordIdOf(id), personId: recordIdOf(String(params.personId)) },
    ...{ query, typed: request.body as Typed | undefined },
    ...{ request, response: http.getResponse<Response>() },
  } as PageInput;
});
