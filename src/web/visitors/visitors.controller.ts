import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { filterPart } from '../../submissions/filter/filter-line.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { VisitorNotFound } from '../../submissions/model/submission.errors.js';
import { visitorLookup } from '../../submissions/model/value-digests.js';
import { VisitorsService, type VisitorTraces } from '../../search/visitors/visitors.service.js';
import { InboxRows, ROWS } from '../rows/rows.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { visitorWords } from './words.js';
import { visitorPath } from '../addresses/visitors.js';
import { EraseVisitorPage } from './erase-visitor.page.js';
import { FindVisitorPage } from './find-visitor.page.js';
import { VisitorPage } from './visitor.page.js';
import { FROM_NEWEST } from '../../submissions/rows/submission-ids.js';

/** Serves what a visitor sent under an email address, over all forms, and erases it. */
@WebController('visitors')
export class VisitorPagesController {
  constructor(
    private readonly visitors: VisitorsService,
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly rows: InboxRows,
    private readonly frames: Frames,
  ) {}

  /** Ask for an address; with one, go to what was sent under it. */
  @Get()
  @Allows('see')
  async find(
    @CurrentPrincipal() principal: Principal,
    @Query() sent: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const email = textOf(sent, 'email').trim();
    const path = visitorPath(email);
    const isStored =
      path !== null && (await this.visitors.traces(principal, email)).submissions > 0;
    if (isStored) {
      redirect(response, path);
      return;
    }
    const message = path === null ? visitorWords.notAnAddress : visitorWords.nothing(email);
    const problems = email === '' ? [] : [{ field: 'email', code: 'visitor_not_found', message }];
    const frame = await this.frames.of(request, response);
    const receipt = parseUuid(textOf(sent, 'receipt'));
    const page = FindVisitorPage({
      ...{ frame, email, problems },
      // Without the sentence of an erasure, the address is one that anybody may have written.
      receipt: frame.flash === 'visitor_erased' && receipt ? formatUuid(receipt) : null,
    });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : 200);
  }

  /** List what was sent under an address, newest first. */
  @Get(':email')
  @Allows('see')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('email') text: string,
    @Query() sent: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { email, path, traces } = await this.get(principal, text);
    const before = parseUuid(textOf(sent, 'before').toLowerCase());
    const forms = traces.forms.map(({ form }) => form);
    const filter = { ...EVERYTHING, values: [visitorLookup(email)] };
    const bound = before ? (['<', before] as const) : FROM_NEWEST;
    const selection = { scope: principal, forms, filter };
    const { ids, next } = await this.finder.find(selection, { order: 'DESC', bound, limit: ROWS });
    const page = VisitorPage({
      ...{ email, path, traces },
      rows: await this.rows.of(principal, ids, this.inbox.read(selection, ids)),
      line: filterPart('visitor', email),
      older: next ? `${path}?before=${formatUuid(next)}` : null,
      isOlder: before !== null,
      mayErase: principal.may('erase'),
      frame: await this.frames.of(request, response),
    });
    sendPage(response, page);
  }

  /** Show what goes when the person is erased. */
  @Get(':email/erase')
  @Allows('erase')
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Param('email') text: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.get(principal, text);
    await this.ask(request, response, found, []);
  }

  /** Erase it for good, once the address has been typed. */
  @Post(':email/erase')
  @Allows('erase')
  @Fresh()
  async erase(
    @CurrentPrincipal() principal: Principal,
    @Param('email') text: string,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.get(principal, text);
    if (textOf(typed, 'typed_email').trim().toLowerCase() !== found.email) {
      const { wrong: message } = visitorWords;
      await this.ask(request, response, found, [
        { field: 'typed_email', code: 'wrong_address', message },
      ]);
      return;
    }
    const { receipt } = await this.visitors.erase(principal, found.email);
    redirect(response, `/visitors?receipt=${receipt ?? ''}`, 'visitor_erased');
  }

  private async ask(
    request: Request,
    response: Response,
    found: { email: string; path: string; traces: VisitorTraces },
    problems: FieldProblem[],
  ): Promise<void> {
    const frame = await this.frames.of(request, response);
    const page = EraseVisitorPage({ frame, ...found, problems });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : 200);
  }

  /** @throws VisitorNotFound */
  private async get(principal: Principal, text: string) {
    const email = parseEmailAddress(text)?.toLowerCase();
    const path = visitorPath(text);
    if (email === undefined || path === null) throw new VisitorNotFound();
    return { email, path, traces: await this.visitors.get(principal, email) };
  }
}
