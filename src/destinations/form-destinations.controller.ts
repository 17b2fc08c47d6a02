import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import { FormQueries } from '../forms/form-queries.service.js';
import { Allows, Requires, RoutesRequire, InForm } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { Config } from '../platform/config/config.js';
import { MessageDto } from '../platform/http/page-query.dto.js';
import { UuidParam } from '../platform/http/shapes.js';
import { uuidOf } from '../platform/kernel/uuid.js';
import { DestinationExclusions, DestinationLog } from './destination-exclusions.service.js';
import { DestinationPreviews } from './destination-previews.js';
import { DestinationsService } from './destinations.service.js';
import { DestinationTrials } from './destination-trials.js';
import {
  ChangeDestinationDto,
  CreateDestinationDto,
  DestinationChangesDto,
  TryDestinationDto,
  DestinationLogQueryDto,
  DestinationPreviewDto,
  PreviewDestinationDto,
  RetriedDto,
  SentListDto,
} from './dto/destination.dto.js';
import {
  DestinationListDto,
  DestinationResponseDto,
  DestinationTestDto,
  TrialDto,
} from './dto/shown-destination.dto.js';
import { placeOf } from './model/kind-settings.js';

/** Serves the destinations of a form. */
@Controller('api/v1/forms/:identifier/destinations')
@RoutesRequire('forms:write')
export class FormDestinationsController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly exclusions: DestinationExclusions,
    private readonly trials: DestinationTrials,
    private readonly previews: DestinationPreviews,
    private readonly log: DestinationLog,
    private readonly forms: FormQueries,
    private readonly config: Config,
  ) {}

  /**
   * List where the submissions of a form go: what its settings name, its own destinations in order, and for the account
   * also those of its clients and of the account.
   */
  @Get()
  async list(@InForm() { principal, identifier }: InForm): Promise<DestinationListDto> {
    const form = await this.forms.get(principal, identifier);
    const found = await this.destinations.listFor(principal, form);
    return DestinationListDto.ofForm(form, found, await this.exclusions.of(form));
  }

  /** Add a destination, up to 50. A signing secret that we make is in this answer alone. */
  @Post()
  async create(
    @InForm() { principal, identifier }: InForm,
    @Body() { destination }: CreateDestinationDto,
  ): Promise<DestinationResponseDto> {
    const place = await this.placeOf(principal, identifier);
    const changes = { ...DestinationChangesDto.changes(destination), name: destination.name };
    const made = await this.destinations.create(principal, place, destination.kind, changes);
    return DestinationResponseDto.ofNew(made, destination.settings);
  }

  /** Say which of the last 20 submissions would have gone to a destination with these conditions. Nothing is stored. */
  @Post('try')
  @HttpCode(200)
  @Requires('submissions:read')
  @Allows('see')
  async tryOut(
    @InForm() { principal, identifier }: InForm,
    @Body() body: TryDestinationDto,
  ): Promise<TrialDto> {
    const form = await this.forms.get(principal, identifier);
    const choice = TryDestinationDto.choice(body);
    const { settings } = body.destination;
    const where = { place: placeOf(form), form };
    return TrialDto.of(await this.trials.tryOut(principal, where, choice, settings));
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
    const { settings = {} } = destination;
    return DestinationPreviewDto.of(await this.previews.of(principal, identifier, settings));
  }

  /** Show a destination. */
  @Get(':id')
  async show(
    @InForm() { principal, identifier }: InForm,
    @UuidParam('id') id: Buffer | null,
  ): Promise<DestinationResponseDto> {
    const place = await this.placeOf(principal, identifier);
    return DestinationResponseDto.of(await this.destinations.show(place, id));
  }

  /** Change a destination. Absent fields stay as they are; its kind does too. */
  @Patch(':id')
  async change(
    @InForm() { principal, identifier }: InForm,
    @UuidParam('id') id: Buffer | null,
    @Body() { destination }: ChangeDestinationDto,
  ): Promise<DestinationResponseDto> {
    const place = await this.placeOf(principal, identifier);
    const changes = DestinationChangesDto.changes(destination);
    const changed = await this.destinations.change(principal, place, id, changes);
    return DestinationResponseDto.of(changed);
  }

  /** Delete a destination. What waits to be sent there is given up. */
  @Delete(':id')
  async delete(
    @InForm() { principal, identifier }: InForm,
    @UuidParam('id') id: Buffer | null,
  ): Promise<MessageDto> {
    const place = await this.placeOf(principal, identifier);
    await this.destinations.delete(principal, place, id);
    return { message: 'The destination has been deleted.' };
  }

  /** Leave out for this form what its client or its account set for all forms. What waits is still sent. */
  @Put(':id/exclusion')
  async exclude(
    @InForm() { principal, identifier }: InForm,
    @UuidParam('id') id: Buffer | null,
  ): Promise<DestinationResponseDto> {
    const form = await this.forms.get(principal, identifier);
    return DestinationResponseDto.of(await this.exclusions.set(principal, form, id, true), true);
  }

  /** Send this form's submissions there again. */
  @Delete(':id/exclusion')
  async include(
    @InForm() { principal, identifier }: InForm,
    @UuidParam('id') id: Buffer | null,
  ): Promise<DestinationResponseDto> {
    const form = await this.forms.get(principal, identifier);
    return DestinationResponseDto.of(await this.exclusions.set(principal, form, id, false));
  }

  /** Send a sample to a destination now, and return the response. */
  @Post(':id/test')
  @HttpCode(200)
  async test(
    @InForm() { principal, identifier }: InForm,
    @UuidParam('id') id: Buffer | null,
  ): Promise<DestinationTestDto> {
    const form = await this.forms.get(principal, identifier);
    return DestinationTestDto.of(await this.trials.test(principal, placeOf(form), id, form));
  }

  /** List what a destination was sent, newest first, 25 at a time; follow `next_page` until it is null. */
  @Get(':id/deliveries')
  async deliveries(
    @InForm() { principal, identifier }: InForm,
    @UuidParam('id') id: Buffer | null,
    @Query() { state, before }: DestinationLogQueryDto,
  ): Promise<SentListDto> {
    const place = await this.placeOf(principal, identifier);
    const last = uuidOf(before);
    const found = await this.log.list(place, id, state ?? null, last);
    const here = `${this.config.baseUrl}/api/v1/forms/${identifier}/destinations`;
    return SentListDto.of(found, here, id, state);
  }

  /** Retry everything that failed to go to a destination. */
  @Post(':id/retry')
  @HttpCode(200)
  async retry(
    @InForm() { principal, identifier }: InForm,
    @UuidParam('id') id: Buffer | null,
  ): Promise<RetriedDto> {
    const place = await this.placeOf(principal, identifier);
    return { retried: await this.log.retry(principal, place, id) };
  }

  private async placeOf(principal: Principal, identifier: string) {
    return placeOf(await this.forms.get(principal, identifier));
  }
}
