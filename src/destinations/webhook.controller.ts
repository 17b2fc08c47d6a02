import { Body, Controller, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { Requires, RoutesRequire, InForm } from '../accounts/access/access.decorators.js';
import { Config } from '../platform/config/config.js';
import { uuidOf } from '../platform/kernel/uuid.js';
import { WebhookCallsDto, ChangeWebhookDto, WebhookResponseDto } from './dto/webhook.dto.js';
import { DestinationLogQueryDto } from './dto/destination.dto.js';
import { DestinationTestDto } from './dto/shown-destination.dto.js';
import { WebhookService } from './webhook.service.js';

/**
 * Serves the webhook of a form. Its secret is seen and changed with a right of its own.
 */
@Controller('api/v1/forms/:identifier/webhook')
@RoutesRequire('forms:write')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly config: Config,
  ) {}

  /** Show the webhook of a form: its state, its last deliveries, and its secret with the right `webhooks:secret`. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<WebhookResponseDto> {
    return WebhookResponseDto.of(await this.webhooks.show(principal, identifier), principal);
  }

  /** List webhook calls, newest first, 25 at a time; follow `next_page` until it is null. */
  @Get('calls')
  async calls(
    @InForm() { principal, identifier }: InForm,
    @Query() query: DestinationLogQueryDto,
  ): Promise<WebhookCallsDto> {
    const before = uuidOf(query.before);
    const found = await this.webhooks.calls(principal, identifier, query.state ?? null, before);
    const here = `${this.config.baseUrl}/api/v1/forms/${identifier}/webhook/calls`;
    return WebhookCallsDto.of(found, here, query.state);
  }

  /**
   * Turn the webhook on or off, or choose what it is sent and how calls are signed; `resend` also retries deliveries
   * that failed in the meantime.
   */
  @Patch()
  async change(
    @InForm() { principal, identifier }: InForm,
    @Body() { webhook }: ChangeWebhookDto,
  ): Promise<WebhookResponseDto> {
    const changed = await this.webhooks.change(principal, identifier, webhook);
    return WebhookResponseDto.of(changed, principal);
  }

  /** Renew the signing secret. For a day, calls are signed with the previous one too. */
  @Post('secret')
  @Requires('webhooks:secret')
  async rotateSecret(@InForm() { principal, identifier }: InForm): Promise<WebhookResponseDto> {
    const rotated = await this.webhooks.renewSecret(principal, identifier);
    return WebhookResponseDto.of(rotated, principal);
  }

  /** Send a sample to the webhook now, and return the response. */
  @Post('test')
  @HttpCode(200)
  async test(@InForm() { principal, identifier }: InForm): Promise<DestinationTestDto> {
    return DestinationTestDto.of(await this.webhooks.test(principal, identifier));
  }
}
