import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { ChangeFormDto, ChangeFormSettingsDto } from '../../forms/dto/change-form.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { WebhookChangesDto } from '../../webhooks/dto/webhook.dto.js';
import { WebhookTestCalls, type TestCall } from '../../webhooks/webhook-test-calls.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { Troubles } from '../layout/troubles.js';
import { FormHeads } from '../form-head/form-heads.js';
import { SECRET, sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, isTicked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { CALL_FILTERS, callsAddress, withQuery } from './webhook-calls.js';
import { redeliveryAddress } from '../deliveries/redelivery.page.js';
import { callOf, testOf } from './shown.js';
import { WebhookPage } from './webhook.page.js';
import { WebhookSecretPage } from './webhook-secret.page.js';

/** Facts that a page shows besides stored values. */
interface Shown {
  query?: Typed;
  typed?: string;
  problems?: FieldProblem[];
  test?: TestCall;
}

/** All calls of a form. */
const EVERY_CALL = { kind: 'webhook', from: null, to: null } as const;

/** Serves the page of a form's webhook; who may change the form may see its secret, after a fresh proof. */
@WebController('forms/:identifier/webhook')
export class WebhookPagesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly testCalls: WebhookTestCalls,
    private readonly deliveries: DeliveriesService,
    private readonly forms: FormsService,
    private readonly troubles: Troubles,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Show the webhook and its calls. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, identifier, request, response, { query });
  }

  /** Change its address, what it is sent and how calls are signed, or remove it. */
  @Post()
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const typed = isTicked(sent, 'remove') ? '' : textOf(sent, 'form.webhook_url').trim();
    try {
      const changes = { form: { webhook_url: typed === '' ? null : typed } };
      const { form } = await checked(ChangeFormDto, changes);
      const sends = await sendsOf(sent);
      await this.forms.change(principal, identifier, ChangeFormSettingsDto.of(form));
      if (sends) await this.webhooks.change(principal, identifier, sends);
      redirect(response, addressOf(identifier), 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      await this.send(principal, identifier, request, response, { typed, problems });
    }
  }

  /** Enable it; with `resend`, also retry the calls that failed since it stopped working. */
  @Post('enable')
  @Requires('forms:write')
  async enable(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const resend = isTicked(sent, 'resend');
    await this.webhooks.change(principal, identifier, { enabled: true, resend });
    redirect(response, addressOf(identifier), resend ? 'webhook_resent' : 'webhook_enabled');
  }

  /** Disable it. */
  @Post('disable')
  @Requires('forms:write')
  async disable(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.webhooks.change(principal, identifier, { enabled: false });
    redirect(response, addressOf(identifier), 'webhook_disabled');
  }

  /** Call it with a sample, and show what came back. */
  @Post('test')
  @Requires('forms:write')
  async test(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const test = await this.testCalls.make(principal, identifier);
    await this.send(principal, identifier, request, response, { test });
  }

  /** Show the secret that signs its calls. */
  @Get('secret')
  @Fresh()
  @Requires('forms:write')
  async secret(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { form, webhook, previousValidUntil } = await this.webhooks.show(principal, identifier);
    const page = WebhookSecretPage({
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      secret: webhook.secret,
      signature: webhook.signature,
      previousSecretUntil: previousValidUntil,
    });
    sendPage(response, page, 200, SECRET);
  }

  /** Renew the signing secret, and show it. */
  @Post('secret')
  @Fresh()
  @Requires('forms:write')
  async renewSecret(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.webhooks.rotateSecret(principal, identifier);
    redirect(response, `${addressOf(identifier)}/secret`, 'secret_renewed');
  }

  private async send(
    principal: Principal,
    identifier: string,
    request: Request,
    response: Response,
    { query, typed, problems = [], test }: Shown,
  ): Promise<void> {
    const { form, webhook, previousValidUntil } = await this.webhooks.show(principal, identifier);
    await this.troubles.ofForm(principal, form);
    const shown = CALL_FILTERS.find((state) => state === textOf(query, 'state')) ?? '';
    const state = shown === '' ? null : shown;
    const before = parseUuid(textOf(query, 'before').toLowerCase());
    const found = await this.webhooks.calls(principal, identifier, state, before);
    const seen = principal.may('see') ? identifier : null;
    const calls = found.calls.map((call) => callOf(call, seen));
    const { count: failed } = await this.deliveries.countFailed(principal, form, EVERY_CALL);
    const last = found.hasMore ? calls.at(-1) : undefined;
    const api = `${this.config.baseUrl}/api/v1${addressOf(identifier)}/calls`;
    const page = WebhookPage({
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      ...{ url: form.webhookUrl, problems },
      typed: typed ?? form.webhookUrl ?? '',
      ...{ format: webhook.format, signature: webhook.signature },
      sample: this.testCalls.bodyOf(form, webhook.format),
      ...{ disabledAt: webhook.disabledAt, isGivenUp: webhook.isGivenUp },
      ...{ failingSince: webhook.failingSince, failsUntil: webhook.failsUntil },
      previousSecretUntil: previousValidUntil,
      test: test ? testOf(test) : null,
      ...{ calls, shown, isOlder: before !== null },
      older: last ? callsAddress(addressOf(identifier), shown, last.id) : null,
      apiUrl:
        principal.clientId === null
          ? withQuery(api, shown, before === null ? '' : formatUuid(before))
          : null,
      mayRetry: principal.may('triage') && !webhook.isDisabled,
      redeliverAt: failed > 0 ? redeliveryAddress(`/forms/${identifier}`, 'webhook') : null,
    });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : undefined);
  }
}

function addressOf(identifier: string): string {
  return `/forms/${identifier}/webhook`;
}

/** Reads what a webhook is sent and how it is signed; null when the page did not ask. */
async function sendsOf(sent: Typed | undefined): Promise<WebhookChangesDto | null> {
  const [format, signature] = ['format', 'signature'].map((name) =>
    textOf(sent, `webhook.${name}`),
  );
  return format && signature ? checked(WebhookChangesDto, { format, signature }) : null;
}
