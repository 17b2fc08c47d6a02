import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { Allows, CurrentPrincipal, Requires, RoutesRequire } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { Config } from '../platform/config/config.js';
import { MessageDto } from '../platform/http/page-query.dto.js';
import { UuidParam } from '../platform/http/shapes.js';
import { uuidOf } from '../platform/kernel/uuid.js';
import { DestinationLog } from './destination-exclusions.service.js';
import { DestinationsService } from './destinations.service.js';
import { DestinationTrials } from './destination-trials.js';
import {
  ChangeDestinationDto,
  CreateDestinationDto,
  DestinationChangesDto,
  TryDestinationDto,
  DestinationLogQueryDto,
  DestinationPlaceDto,
  RetriedDto,
  SentListDto,
} from './dto/destination.dto.js';
import {
  DestinationListDto,
  DestinationResponseDto,
  DestinationTestDto,
  TrialDto,
} from './dto/shown-destination.dto.js';

/** Serves the destinations of all forms of an account, or of a client with `client_id`, and each by its id. */
@Controller('api/v1/destinations')
@RoutesRequire('forms:write')
export class DestinationsController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly trials: DestinationTrials,
    private readonly log: DestinationLog,
    private readonly config: Config,
  ) {}

  /** List the destinations of all forms, in order; with `client_id`, those of all forms that a client sees. */
  @Get()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() { client_id: clientId }: DestinationPlaceDto,
  ): Promise<DestinationListDto> {
    const place = await this.destinations.placeOf(principal, clientId);
    return DestinationListDto.of(await this.destinations.list(place));
  }

  /** Add a destination, up to 50. A signing secret that we make is in this answer alone. */
  @Post()
  async create(
    @CurrentPrincipal() principal: Principal,
    @Query() { client_id: clientId }: DestinationPlaceDto,
    @Body() { destination }: CreateDestinationDto,
  ): Promise<DestinationResponseDto> {
    const place = await this.destinations.placeOf(principal, clientId);
    const changes = { ...DestinationChangesDto.changes(destination), name: destination.name };
    const made = await this.destinations.create(principal, place, destination.kind, changes);
    return DestinationResponseDto.ofNew(made, destination.settings);
  }

  /**
   * Say which of the last 20 submissions of all forms would have gone to a destination with these conditions. Nothing is
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
    const place = await this.destinations.placeOf(principal, clientId);
    const choice = TryDestinationDto.choice(body);
    const where = { place, form: null };
    const { settings } = body.destination;
    return TrialDto.of(await this.trials.tryOut(principal, where, choice, settings));
  }

  /** Show a destination. */
  @Get(':id')
  async show(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
  ): Promise<DestinationResponseDto> {
    const place = await this.destinations.placeOfOne(principal, id);
    return DestinationResponseDto.of(await this.destinations.show(place, id));
  }

  /** Change a destination. Absent fields stay as they are; its kind does too. */
  @Patch(':id')
  async change(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
    @Body() { destination }: ChangeDestinationDto,
  ): Promise<DestinationResponseDto> {
    const place = await this.destinations.placeOfOne(principal, id);
    const changes = DestinationChangesDto.changes(destination);
    const changed = await this.destinations.change(principal, place, id, changes);
    return DestinationResponseDto.of(changed);
  }

  /** Delete a destination. What waits to be sent there is given up. */
  @Delete(':id')
  async delete(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
  ): Promise<MessageDto> {
    const place = await this.destinations.placeOfOne(principal, id);
    await this.destinations.delete(principal, place, id);
    return { message: 'The destination has been deleted.' };
  }

  /** Send a sample to a destination now, and return the response. */
  @Post(':id/test')
  @HttpCode(200)
  async test(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
  ): Promise<DestinationTestDto> {
    const place = await this.destinations.placeOfOne(principal, id);
    return DestinationTestDto.of(await this.trials.test(principal, place, id, null));
  }

  /** List what a destination was sent, newest first, 25 at a time; follow `next_page` until it is null. */
  @Get(':id/deliveries')
  async deliveries(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
    @Query() { state, before }: DestinationLogQueryDto,
  ): Promise<SentListDto> {
    const place = await this.destinations.placeOfOne(principal, id);
    const last = uuidOf(before);
    const found = await this.log.list(place, id, state ?? null, last);
    const here = `${this.config.baseUrl}/api/v1/destinations`;
    return SentListDto.of(found, here, id, state);
  }

  /** Retry everything that failed to go to a destination. */
  @Post(':id/retry')
  @HttpCode(200)
  async retry(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
  ): Promise<RetriedDto> {
    const place = await this.destinations.placeOfOne(principal, id);
    return { retried: await this.log.retry(principal, place, id) };
  }
}
