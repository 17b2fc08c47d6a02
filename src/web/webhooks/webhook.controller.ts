import { Get, Post } from '@nestjs/common';
import { RoutesRequire } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Fresh } from '../../auth/browsers.cookie.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { ChangeFormDto, ChangeFormSettingsDto } from '../../forms/dto/change-form.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { Config } from '../../platform/config/config.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid, uuidOf } from '../../platform/kernel/uuid.js';
import { WebhookChangesDto } from '../../webhooks/dto/webhook.dto.js';
import {
  WebhookTestCalls,
  type TestCall,
  WebhooksService,
} from '../../webhooks/webhooks.service.js';
import { Troubles } from '../layout/troubles.js';
import { checked, isTicked, textOf, type Typed } from '../parts/typed.js';
import { CALL_FILTERS, callsAddress, withQuery } from './webhook-calls.js';
import { redeliveryAddress } from '../deliveries/redelivery.page.js';
import { callOf, testOf, WebhookPage, WebhookSecretPage } from './webhook.page.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

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
@RoutesRequire('forms:write')
export class WebhookPagesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly testCalls: WebhookTestCalls,
    private readonly deliveries: DeliveriesService,
    private readonly forms: FormsService,
    private readonly troubles: Troubles,
    private readonly config: Config,
  ) {}

  /** Show the webhook and its calls. */
  @Get()
  async show(@Asked() { principal, identifier, query }: PageInput): Promise<PageAnswer> {
    return this.page(principal, identifier, { query });
  }

  /** Change its address, what it is sent and how calls are signed, or remove it. */
  @Post()
  async change(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const typed = isTicked(sent, 'remove') ? '' : textOf(sent, 'form.webhook_url').trim();
    return attempt(
      async () => {
        const changes = { form: { webhook_url: typed === '' ? null : typed } };
        const { form } = await checked(ChangeFormDto, changes);
        const sends = await sendsOf(sent);
        await this.forms.change(principal, identifier, ChangeFormSettingsDto.of(form));
        if (sends) await this.webhooks.change(principal, identifier, sends);
        return goTo(addressOf(identifier), 'saved');
      },
      (problems) => this.page(principal, identifier, { typed, problems }),
    );
  }

  /** Enable it; with `resend`, also retry the calls that failed since it stopped working. */
  @Post('enable')
  async enable(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const resend = isTicked(sent, 'resend');
    await this.webhooks.change(principal, identifier, { enabled: true, resend });
    return goTo(addressOf(identifier), resend ? 'webhook_resent' : 'webhook_enabled');
  }

  /** Disable it. */
  @Post('disable')
  async disable(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    await this.webhooks.change(principal, identifier, { enabled: false });
    return goTo(addressOf(identifier), 'webhook_disabled');
  }

  /** Call it with a sample, and show what came back. */
  @Post('test')
  async test(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const test = await this.testCalls.make(principal, identifier);
    return this.page(principal, identifier, { test });
  }

  /** Show the secret that signs its calls. */
  @Get('secret')
  @Fresh()
  async secret(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const { form, webhook, previousValidUntil } = await this.webhooks.show(principal, identifier);
    const shown = {
      secret: webhook.secret,
      signature: webhook.signature,
      previousSecretUntil: previousValidUntil,
    };
    return formPage(form, WebhookSecretPage, shown, { isSecret: true });
  }

  /** Renew the signing secret, and show it. */
  @Post('secret')
  @Fresh()
  async renewSecret(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    await this.webhooks.rotateSecret(principal, identifier);
    return goTo(`${addressOf(identifier)}/secret`, 'secret_renewed');
  }

  private async page(
    principal: Principal,
    identifier: string,
    { query, typed, problems = [], test }: Shown,
  ): Promise<PageAnswer> {
    const { form, webhook, previousValidUntil } = await this.webhooks.show(principal, identifier);
    await this.troubles.ofForm(principal, form);
    const shown = CALL_FILTERS.find((state) => state === textOf(query, 'state')) ?? '';
    const state = shown === '' ? null : shown;
    const before = uuidOf(textOf(query, 'before'));
    const found = await this.webhooks.calls(principal, identifier, state, before);
    const seen = principal.may('see') ? identifier : null;
    const calls = found.calls.map((call) => callOf(call, seen));
    const { count: failed } = await this.deliveries.countFailed(principal, form, EVERY_CALL);
    const last = found.hasMore ? calls.at(-1) : undefined;
    const api = `${this.config.baseUrl}/api/v1${addressOf(identifier)}/calls`;
    return formPage(form, WebhookPage, {
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
