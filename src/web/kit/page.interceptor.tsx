import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import type { PageRequest } from '../../auth/session.guard.js';
import { FormHeads } from '../form-head/form-heads.js';
import { setRedirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { renderPage, SECRET, setFrameHeaders, setPageHeaders } from '../layout/send-page.js';
import { FrameContext } from '../layout/shell.js';
import type { PageAnswer } from './answers.js';

const NO_CONTENT = 204;

/** Sends what a handler answers: the page in its frame, or the way to the next one. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(
    private readonly frames: Frames,
    private readonly heads: FormHeads,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<string | undefined> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<PageRequest>(), http.getResponse<Response>()];
    return next
      .handle()
      .pipe(mergeMap((answer?: PageAnswer) => this.prepare(request, response, answer)));
  }

  /**
   * Sets status and headers.
   * @param answer left out by handlers that send something else themselves
   * @returns the body
   */
  private async prepare(
    request: PageRequest,
    response: Response,
    answer: PageAnswer | undefined,
  ): Promise<string | undefined> {
    if (answer === undefined) return undefined;
    if ('body' in answer) {
      response.status(NO_CONTENT);
      return undefined;
    }
    if ('to' in answer) {
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
    const frame = await this.frames.of(request, response, signedIn);
    if (brandOf && !signedIn) frame.brand = await this.frames.brandOf(brandOf);
    const head = form && request.user ? await this.heads.of(request.user, form) : null;
    setPageHeaders(response, status, isSecret ? SECRET : undefined);
    return renderPage(<FrameContext.Provider value={frame}>{draw(head)}</FrameContext.Provider>);
  }
}
