import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import { DestinationTrials } from '../../destinations/destination-trials.js';
import {
  CreateDestinationDto,
  DestinationChangesDto,
  TryDestinationDto,
} from '../../destinations/dto/destination.dto.js';
import { KIND_NAMES, type KindName } from '../../destinations/kinds/kinds.js';
import { CONDITIONS_MAX } from '../../destinations/model/condition.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { redirect } from '../layout/flash.js';
import { WebController } from '../layout/web-controller.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { DestinationViews } from './destination-views.js';
import { Homes, pageOf } from './homes.js';
import { bodyOf, readTyped } from './typed.js';

/** Serves the list of the destinations of a form or of all forms, and the page that adds one. */
@WebController(['forms/:identifier', ''])
export class DestinationListPagesController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly trials: DestinationTrials,
    private readonly homes: Homes,
    private readonly views: DestinationViews,
  ) {}

  /** Show where submissions go. */
  @Get('destinations')
  @Requires('forms:write')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const home = await this.homes.of(principal, identifier, query);
    await this.views.sendList({ principal, home, request, response });
  }

  /** Show the inputs of a new destination. */
  @Get('new-destination')
  @Requires('forms:write')
  async start(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const home = await this.homes.of(principal, identifier, query);
    await this.views.send({ principal, home, request, response }, kindIn(query), null, {});
  }

  /** Add a destination. A signing secret that we make is shown once. */
  @Post('destinations')
  @Requires('forms:write')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Query() query: Typed,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const kind = kindIn(sent);
    const home = await this.homes.of(principal, identifier, query);
    const asked = { principal, home, request, response };
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    try {
      const body = { destination: { ...bodyOf(typed, kind, true), kind } };
      const { destination } = await checked(CreateDestinationDto, body);
      const changes = { ...DestinationChangesDto.changes(destination), name: destination.name };
      const made = await this.destinations.create(principal, home.place, kind, changes);
      const madeSecret = typed.settings.secret === '' ? made.settings.secret : undefined;
      if (madeSecret !== undefined) await this.views.send(asked, kind, made, { madeSecret });
      else {
        const there = pageOf(home, formatUuid(made.destination.id));
        redirect(response, there, 'destination_added');
      }
    } catch (error) {
      await this.views.send(asked, kind, null, { typed, problems: problemsOf(error) });
    }
  }

  /** Try the conditions of a new destination. */
  @Post('new-destination')
  @Requires('forms:write')
  @Allows('see')
  async tryNew(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Query() query: Typed,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const kind = kindIn(sent);
    const home = await this.homes.of(principal, identifier, query);
    const asked = { principal, home, request, response };
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    try {
      const { match, conditions, settings } = bodyOf(typed, kind, true);
      const body = await checked(TryDestinationDto, { destination: { match, conditions } });
      const choice = TryDestinationDto.choice(body);
      const trial = await this.trials.tryOut(principal, home, choice, settings);
      await this.views.send(asked, kind, null, { typed, trial });
    } catch (error) {
      await this.views.send(asked, kind, null, { typed, problems: problemsOf(error) });
    }
  }
}

/** Returns the kind that was asked for; a webhook, which fits anything, unless there is such a one. */
function kindIn(typed: Typed | undefined): KindName {
  const kind = textOf(typed, 'kind');
  return KIND_NAMES.find((known) => known === kind) ?? 'webhook';
}
