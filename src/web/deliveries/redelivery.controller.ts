import { Get, Post } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Allows, RoutesRequire } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { ABOUT_SUBMISSIONS, FAILED_COUNT_MAX } from '../../deliveries/model/delivery-filter.js';
import { Clock, startOfDay } from '../../platform/kernel/time.js';
import { parseMoment } from '../../platform/kernel/time/moment.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { textOf, type Typed } from '../parts/typed.js';
import { RedeliveryPage, type RedeliveryKind } from './redelivery.page.js';
import { formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

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
@RoutesRequire('forms:write')
export class RedeliveryPagesController {
  constructor(
    private readonly forms: FormQueries,
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly clock: Clock,
  ) {}

  /** Count those of a kind, from a day on. */
  @Get()
  @Allows('triage')
  async count(
    @Asked() { principal, signedIn: { person }, identifier, query }: PageInput,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const kind = kindIn(query);
    const from = textOf(query, 'from');
    const to = this.clock.now();
    const filter = { kind, from: startOfDay(from, person.timeZone), to };
    const failed = await this.deliveries.countFailed(principal, form, filter);
    return formPage(form, RedeliveryPage, {
      ...failed,
      isAll: failed.count < FAILED_COUNT_MAX,
      from: filter.from === null ? '' : from,
      ...{ kind, to: to.toISOString() },
      isDisabled: kind === 'webhook' && (await this.isDisabled(principal, identifier)),
    });
  }

  /** Send again what was counted. */
  @Post()
  @Allows('triage')
  async redeliver(
    @Asked() { principal, signedIn: { person }, identifier, typed: sent }: PageInput,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const kind = kindIn(sent);
    const to = parseMoment(textOf(sent, 'to'));
    await this.deliveries.redeliver(principal, form, {
      kind,
      from: startOfDay(textOf(sent, 'from'), person.timeZone),
      to: to === null ? null : new Date(to),
    });
    return goTo(`/forms/${identifier}${FOUND_AT[kind]}`, 'redelivered');
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
