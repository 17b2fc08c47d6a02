import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { ABOUT_SUBMISSIONS, FAILED_COUNT_MAX } from '../../deliveries/model/delivery-filter.js';
import { FormsService } from '../../forms/forms.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { startOfDay } from '../../platform/kernel/time/days.js';
import { parseMoment } from '../../platform/kernel/time/moment.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { FormHeads } from '../form-head/form-heads.js';
import { sendPage } from '../layout/send-page.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { RedeliveryPage, type RedeliveryKind } from './redelivery.page.js';

/** Where each kind is found again after it was sent anew. */
const FOUND_AT: Record<RedeliveryKind, string> = {
  webhook: '/webhook?state=pending#calls',
  destination: '/destinations',
  owner_email: '',
  submitter_email: '',
  opt_in: '',
};

/** Serves the page that sends the calls or mails of a form again that were given up, after it has counted them. */
@WebController('forms/:identifier/redelivery')
export class RedeliveryPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
    private readonly clock: Clock,
  ) {}

  /** Count those of a kind, from a day on. */
  @Get()
  @Requires('forms:write')
  @Allows('triage')
  async count(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { person }: SignedIn,
    @Param('identifier') identifier: string,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const kind = kindIn(query);
    const from = textOf(query, 'from');
    const to = this.clock.now();
    const filter = { kind, from: startOfDay(from, person.timeZone), to };
    const failed = await this.deliveries.countFailed(principal, form, filter);
    const page = RedeliveryPage({
      frame: await this.frames.of(request, response),
      ...failed,
      isAll: failed.count < FAILED_COUNT_MAX,
      from: filter.from === null ? '' : from,
      form: await this.heads.of(principal, form),
      ...{ kind, to: to.toISOString() },
      isDisabled: kind === 'webhook' && (await this.isDisabled(principal, identifier)),
    });
    sendPage(response, page);
  }

  /** Send again what was counted. */
  @Post()
  @Requires('forms:write')
  @Allows('triage')
  async redeliver(
    @CurrentPrincipal() principal: Principal,
    @CurrentPerson() { person }: SignedIn,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const kind = kindIn(sent);
    const to = parseMoment(textOf(sent, 'to'));
    await this.deliveries.redeliver(principal, form, {
      kind,
      from: startOfDay(textOf(sent, 'from'), person.timeZone),
      to: to === null ? null : new Date(to),
    });
    redirect(response, `/forms/${identifier}${FOUND_AT[kind]}`, 'redelivered');
  }

  private async isDisabled(principal: Principal, identifier: string): Promise<boolean> {
    const { webhook } = await this.webhooks.show(principal, identifier);
    return webhook.isDisabled;
  }
}

/** Returns the kind that was asked for; calls, unless it is one of mails. */
function kindIn(typed: Typed | undefined): RedeliveryKind {
  const kind = textOf(typed, 'kind');
  return ABOUT_SUBMISSIONS.find((known) => known === kind) ?? 'webhook';
}
