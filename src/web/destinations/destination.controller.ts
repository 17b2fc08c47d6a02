import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { DestinationLog } from '../../destinations/destination-log.service.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import { DestinationTrials } from '../../destinations/destination-trials.js';
import {
  ChangeDestinationDto,
  DestinationChangesDto,
  TryDestinationDto,
} from '../../destinations/dto/destination.dto.js';
import { CONDITIONS_MAX } from '../../destinations/model/condition.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { redirect } from '../layout/flash.js';
import { WebController } from '../layout/web-controller.js';
import { checked, isTicked, problemsOf, type Typed } from '../parts/typed.js';
import { DestinationViews } from './destination-views.js';
import { Homes, listOf } from './homes.js';
import { bodyOf, readTyped } from './typed.js';

/** Serves the page of a destination. */
@WebController(['forms/:identifier/destinations/:id', 'destinations/:id'])
export class DestinationPagesController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly log: DestinationLog,
    private readonly trials: DestinationTrials,
    private readonly homes: Homes,
    private readonly views: DestinationViews,
  ) {}

  /** Show a destination and what it was sent. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { home, opened } = await this.homes.ofOne(principal, identifier, id);
    const asked = { principal, home, request, response };
    await this.views.send(asked, opened.destination.kind, opened, { query });
  }

  /** Change a destination. */
  @Post()
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { home, opened } = await this.homes.ofOne(principal, identifier, id);
    const { kind } = opened.destination;
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    try {
      const body = { destination: bodyOf(typed, kind, false) };
      const { destination } = await checked(ChangeDestinationDto, body);
      const changes = DestinationChangesDto.changes(destination);
      await this.destinations.change(principal, home.place, id, changes);
      redirect(response, request.path, 'saved');
    } catch (error) {
      const asked = { principal, home, request, response };
      await this.views.send(asked, kind, opened, { typed, problems: problemsOf(error) });
    }
  }

  /** Try its conditions as they were typed. */
  @Post('try')
  @Requires('forms:write')
  @Allows('see')
  async tryOut(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { home, opened } = await this.homes.ofOne(principal, identifier, id);
    const asked = { principal, home, request, response };
    const { kind } = opened.destination;
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    try {
      const { match, conditions, settings } = bodyOf(typed, kind, false);
      const body = await checked(TryDestinationDto, { destination: { match, conditions } });
      const choice = TryDestinationDto.choice(body);
      const trial = await this.trials.tryOut(principal, home, choice, settings);
      await this.views.send(asked, kind, opened, { typed, trial });
    } catch (error) {
      await this.views.send(asked, kind, opened, { typed, problems: problemsOf(error) });
    }
  }

  /** Send it a sample, and show what came back. */
  @Post('test')
  @Requires('forms:write')
  async test(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { home, opened } = await this.homes.ofOne(principal, identifier, id);
    const test = await this.trials.test(principal, home.place, id, home.form);
    const asked = { principal, home, request, response };
    await this.views.send(asked, opened.destination.kind, opened, { test });
  }

  /** Send nothing there for now. */
  @Post('pause')
  @Requires('forms:write')
  async pause(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { home } = await this.homes.ofOne(principal, identifier, id);
    await this.destinations.change(principal, home.place, id, { paused: true });
    redirect(response, pageOf(request), 'destination_paused');
  }

  /** Send there again; with `resend`, also what it missed. */
  @Post('resume')
  @Requires('forms:write')
  async resume(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { home } = await this.homes.ofOne(principal, identifier, id);
    await this.destinations.change(principal, home.place, id, { paused: false });
    if (isTicked(sent, 'resend')) await this.log.retry(principal, home.place, id);
    redirect(response, pageOf(request), 'destination_resumed');
  }

  /** Move it up in the list. */
  @Post('up')
  @Requires('forms:write')
  async up(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const { home, opened } = await this.homes.ofOne(principal, identifier, id);
    const all = await this.destinations.list(home.place);
    const at = all.findIndex((each) => each.destination.id.equals(opened.destination.id));
    await this.destinations.change(principal, home.place, id, { position: Math.max(at, 1) });
    redirect(response, listOf(home), 'saved');
  }

  /** Retry everything that failed to go there. */
  @Post('retry')
  @Requires('forms:write')
  async retry(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { home } = await this.homes.ofOne(principal, identifier, id);
    await this.log.retry(principal, home.place, id);
    redirect(response, pageOf(request), 'redelivered');
  }

  /** Delete it. */
  @Post('delete')
  @Requires('forms:write')
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string | undefined,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const { home } = await this.homes.ofOne(principal, identifier, id);
    await this.destinations.delete(principal, home.place, id);
    redirect(response, listOf(home), 'destination_deleted');
  }
}

/** Returns the page of a destination, behind whose address something is done. */
function pageOf({ path }: Request): string {
  return path.slice(0, path.lastIndexOf('/'));
}
