import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { FAILED_COUNT_MAX } from '../../deliveries/delivery-filter.js';
import type { SignedIn } from '../../people/sign-in.service.js';
import { Clock } from '../../platform/kernel/clock.js';
import { startOfDay } from '../../platform/kernel/days.js';
import { parseMoment } from '../../platform/kernel/moment.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { textOf, type Typed } from '../layout/typed.js';
import { WebController } from '../layout/web-controller.js';
import { RedeliveryPage } from './redelivery.page.js';

/** Serves the page that sends the calls of a form again that were given up, after it has counted them. */
@WebController('forms/:identifier/webhook/failed')
export class RedeliveryPagesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly frames: Frames,
    private readonly clock: Clock,
  ) {}

  /** Count them, from a day on. */
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
    const { form, webhook } = await this.webhooks.show(principal, identifier);
    const from = textOf(query, 'from');
    const to = this.clock.now();
    const filter = { kind: 'webhook', from: startOfDay(from, person.timeZone), to } as const;
    const failed = await this.deliveries.countFailed(form, filter);
    const page = RedeliveryPage({
      frame: await this.frames.of(request, response),
      ...failed,
      isAll: failed.count < FAILED_COUNT_MAX,
      from: filter.from === null ? '' : from,
      ...{ identifier, to: to.toISOString(), isDisabled: webhook.isDisabled },
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
    const { form } = await this.webhooks.show(principal, identifier);
    const to = parseMoment(textOf(sent, 'to'));
    await this.deliveries.redeliver(principal, form, {
      kind: 'webhook',
      from: startOfDay(textOf(sent, 'from'), person.timeZone),
      to: to === null ? null : new Date(to),
    });
    redirect(response, `/forms/${identifier}/webhook?state=pending#calls`, 'redelivered');
  }
}
