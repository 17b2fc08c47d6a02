import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import {
  Allows,
  AskedForm,
  CurrentPrincipal,
  InForm,
  Requires,
  RoutesRequire,
  SessionRoute,
  Principal,
} from '../accounts/access/index.js';
import { Config, formatUuid, uuidOf } from '../platform/index.js';
import { MessageDto, ApiUuid, paramOf } from '../platform/http/index.js';
import { DestinationsService, type Home } from './destinations.service.js';
import { DestinationPreviews, DestinationTrials, TestMailsService } from './destination-trials.js';
import {
  ChangeDestinationDto,
  CreateDestinationDto,
  DestinationChangesDto,
  DestinationLogQueryDto,
  DestinationPlaceDto,
  PreviewDestinationDto,
  SendTestMailDto,
  TryDestinationDto,
} from './dto/destination.dto.js';
import {
  DestinationListDto,
  DestinationPreviewDto,
  DestinationResponseDto,
  DestinationTestDto,
  RetriedDto,
  SentListDto,
  TestMailDto,
  TrialDto,
} from './dto/shown-destination.dto.js';
import { WebhookCallsDto, ChangeWebhookDto, WebhookResponseDto } from './dto/webhook.dto.js';
import { WebhookService } from './webhook.service.js';
import { CurrentPerson } from '../people/auth/browsers.cookie.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';

/** The asker for a destination, the form in the path, undefined where it names none, and the id. */
interface Asked extends Pick<InForm, 'principal' | 'id'> {
  identifier: string | undefined;
}

/** Gives a route who asks for which destination. */
const Asked = () => paramOf(AskedForm(), ApiUuid('id'));

/** Serves the destinations of a form, of a client and of the account. */
@RoutesRequire('forms:write')
abstract class DestinationRoutes {
  constructor(
    protected readonly destinations: DestinationsService,
    protected readonly trials: DestinationTrials,
    protected readonly previews: DestinationPreviews,
    private readonly config: Config,
  ) {}

  /** Show a destination. */
  @Get(':id')
  async show(@Asked() asked: Asked): Promise<DestinationResponseDto> {
    return DestinationResponseDto.of(await this.find(asked));
  }

  /** Change a destination. Absent fields stay as they are; its kind does too. */
  @Patch(':id')
  async change(@Asked() asked: Asked, @Body() { destination }: ChangeDestinationDto): Promise<DestinationResponseDto> {
    const changes = DestinationChangesDto.changes(destination);
    const opened = await this.find(asked);
    return DestinationResponseDto.of(await this.destinations.change(asked.principal, opened, changes));
  }

  /** Delete a destination. What waits to be sent there is given up. */
  @Delete(':id')
  async delete(@Asked() asked: Asked): Promise<MessageDto> {
    const { destination } = await this.find(asked);
    await this.destinations.delete(asked.principal, destination);
    return { message: 'The destination has been deleted.' };
  }

  /** Renew the signing secret of a webhook; only this response contains it. For a day, calls are signed with the previous one too. */
  @Post(':id/secret')
  @HttpCode(200)
  @Requires('webhooks:secret')
  async renewSecret(@Asked() asked: Asked): Promise<DestinationResponseDto> {
    const { destination } = await this.find(asked);
    return DestinationResponseDto.ofNew(await this.destinations.renewSecret(asked.principal, destination));
  }

  /** Send a sample to a destination now, and return the response. That of the email to visitors goes to the account. */
  @Post(':id/test')
  @HttpCode(200)
  async test(@Asked() asked: Asked): Promise<DestinationTestDto> {
    const { destination } = await this.find(asked);
    return DestinationTestDto.of(await this.trials.test(asked.principal, destination));
  }

  /**
   * List what a destination was sent, newest first, 25 at a time; follow `next_page` until it is null. Needs
   * `submissions:read` besides.
   */
  @Get(':id/deliveries')
  async deliveries(@Asked() asked: Asked, @Query() { state, before }: DestinationLogQueryDto): Promise<SentListDto> {
    const { destination } = await this.find(asked);
    const found = await this.destinations.sentTo(asked.principal, destination, state ?? null, uuidOf(before));
    const above = asked.identifier === undefined ? '' : `/forms/${asked.identifier}`;
    const path = `${above}/destinations/${formatUuid(destination.id)}/deliveries`;
    return SentListDto.of(found, `${this.config.baseUrl}/api/v1${path}`, state);
  }

  /** Retry everything that failed to go to a destination. */
  @Post(':id/retry')
  @HttpCode(200)
  async retry(@Asked() asked: Asked): Promise<RetriedDto> {
    const { destination } = await this.find(asked);
    return { retried: await this.destinations.retry(asked.principal, destination) };
  }

  private async find({ principal, identifier, id }: Asked) {
    return (await this.destinations.find(principal, identifier, id)).opened;
  }

  protected async add(
    principal: Principal,
    { place }: Home,
    { destination }: CreateDestinationDto,
  ): Promise<DestinationResponseDto> {
    const changes = { ...DestinationChangesDto.changes(destination), name: destination.name };
    const made = await this.destinations.create(principal, place, destination.kind, changes);
    return DestinationResponseDto.ofNew(made, destination.settings);
  }

  protected async tryIn(principal: Principal, home: Home, body: TryDestinationDto): Promise<TrialDto> {
    const choice = TryDestinationDto.choice(body);
    const { settings } = body.destination;
    return TrialDto.of(await this.trials.tryOut(principal, home, choice, settings));
  }
}

/** Serves the destinations of all forms of an account, or of a client with `client_id`, and each by its id. */
@Controller('api/v1/destinations')
@RoutesRequire('forms:write')
export class DestinationsController extends DestinationRoutes {
  /** List the destinations of all forms, in order; with `client_id`, of all forms that a client sees. */
  @Get()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() { client_id: clientId }: DestinationPlaceDto,
  ): Promise<DestinationListDto> {
    const { place } = await this.destinations.homeOf(principal, undefined, clientId);
    return DestinationListDto.of(await this.destinations.list(place));
  }

  /** Add a destination, up to 50. A signing secret that we make is in this answer alone. */
  @Post()
  async create(
    @CurrentPrincipal() principal: Principal,
    @Query() { client_id: clientId }: DestinationPlaceDto,
    @Body() body: CreateDestinationDto,
  ): Promise<DestinationResponseDto> {
    const home = await this.destinations.homeOf(principal, undefined, clientId);
    return this.add(principal, home, body);
  }

  /**
   * Preview which of the last 20 submissions of all forms would have gone to a destination with these conditions. Nothing is
   * stored.
   */
  @Post('try')
  @HttpCode(200)
  @Requires('submissions:read')
  @Allows('see')
  async tryOut(
    @CurrentPrincipal() principal: Principal,
    @Query() { client_id: clientId }: DestinationPlaceDto,
    @Body() body: TryDestinationDto,
  ): Promise<TrialDto> {
    const home = await this.destinations.homeOf(principal, undefined, clientId);
    return this.tryIn(principal, home, body);
  }
}

/** Serves the destinations of a form. */
@Controller('api/v1/forms/:identifier/destinations')
@RoutesRequire('forms:write')
export class FormDestinationsController extends DestinationRoutes {
  /**
   * List where the submissions of a form go: the emails to its team and to the visitor and its webhook, which every form has,
   * its further destinations in order, and for the account also its own and its clients'.
   */
  @Get()
  async list(@InForm() { principal, identifier }: InForm): Promise<DestinationListDto> {
    const { form } = await this.destinations.homeOf(principal, identifier);
    const found = await this.destinations.listFor(principal, form);
    return DestinationListDto.of(found, await this.destinations.excludedFrom(form));
  }

  /** Add a destination, up to 50. A signing secret that we make is in this answer alone. */
  @Post()
  async create(
    @InForm() { principal, identifier }: InForm,
    @Body() body: CreateDestinationDto,
  ): Promise<DestinationResponseDto> {
    return this.add(principal, await this.destinations.homeOf(principal, identifier), body);
  }

  /** Preview which of the last 20 submissions would have gone to a destination with these conditions. Nothing is stored. */
  @Post('try')
  @HttpCode(200)
  @Requires('submissions:read')
  @Allows('see')
  async tryOut(@InForm() { principal, identifier }: InForm, @Body() body: TryDestinationDto): Promise<TrialDto> {
    return this.tryIn(principal, await this.destinations.homeOf(principal, identifier), body);
  }

  /**
   * Preview the email of a destination for the newest submission. Where there is none, or for a token without
   * `submissions:read`, it is about a sample. Nothing is stored, and nothing is sent.
   */
  @Post('preview')
  @HttpCode(200)
  async preview(
    @InForm() { principal, identifier }: InForm,
    @Body() { destination }: PreviewDestinationDto,
  ): Promise<DestinationPreviewDto> {
    const { id, settings = {} } = destination;
    const asked = { id: uuidOf(id), settings };
    return DestinationPreviewDto.of(await this.previews.of(principal, identifier, asked));
  }

  /** Exclude a form from a destination of its client or account. What waits is still sent. */
  @Put(':id/exclusion')
  async exclude(@InForm('id') { principal, identifier, id }: InForm): Promise<DestinationResponseDto> {
    const { form } = await this.destinations.homeOf(principal, identifier);
    return DestinationResponseDto.of(await this.destinations.exclude(principal, form, id, true), true);
  }

  /** Include a form again. */
  @Delete(':id/exclusion')
  async include(@InForm('id') { principal, identifier, id }: InForm): Promise<DestinationResponseDto> {
    const { form } = await this.destinations.homeOf(principal, identifier);
    return DestinationResponseDto.of(await this.destinations.exclude(principal, form, id, false));
  }
}

/** Serves the webhook of a form. Its secret is seen and changed with a right of its own. */
@Controller('api/v1/forms/:identifier/webhook')
@RoutesRequire('forms:write')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly destinations: DestinationsService,
    private readonly trials: DestinationTrials,
    private readonly config: Config,
  ) {}

  /** Show the webhook of a form: its state, its last deliveries, and its secret with the right `webhooks:secret`. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<WebhookResponseDto> {
    return WebhookResponseDto.of(await this.webhooks.show(principal, identifier), principal);
  }

  /** List webhook calls, newest first, 25 at a time; follow `next_page` until it is null. Needs `submissions:read` besides. */
  @Get('calls')
  async calls(
    @InForm() { principal, identifier }: InForm,
    @Query() { state, before }: DestinationLogQueryDto,
  ): Promise<WebhookCallsDto> {
    const { opened } = await this.webhooks.find(principal, identifier);
    const found = await this.destinations.sentTo(principal, opened.destination, state ?? null, uuidOf(before));
    const here = `${this.config.baseUrl}/api/v1/forms/${identifier}/webhook/calls`;
    return WebhookCallsDto.of(found, here, state);
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
    const { opened } = await this.webhooks.find(principal, identifier);
    await this.destinations.renewSecret(principal, opened.destination);
    return WebhookResponseDto.of(await this.webhooks.show(principal, identifier), principal);
  }

  /** Send a sample to the webhook now, and return the response. */
  @Post('test')
  @HttpCode(200)
  async test(@InForm() { principal, identifier }: InForm): Promise<DestinationTestDto> {
    const { opened } = await this.webhooks.find(principal, identifier);
    return DestinationTestDto.of(await this.trials.test(principal, opened.destination));
  }
}

/** Sends the mails of forms to who is signed in. */
@Controller('api/v1/me/test-mails')
@SessionRoute()
export class TestMailsController {
  constructor(private readonly mails: TestMailsService) {}

  /**
   * Send yourself a test email of a form, for its newest submission. It goes to your own address alone, which
   * has to be verified: you have used a link that was mailed there.
   */
  @Post()
  @HttpCode(200)
  async send(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { identifier, destination_id: id, settings = {} }: SendTestMailDto,
  ): Promise<TestMailDto> {
    const ended = await this.mails.send(signedIn, { identifier, id: uuidOf(id), settings });
    return TestMailDto.of(signedIn.person.email, ended);
  }
}
