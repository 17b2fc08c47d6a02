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
import { placeOf } from '../../destinations/model/place.js';
import { FormsService } from '../../forms/forms.service.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { redirect, type Flash } from '../layout/flash.js';
import { WebController } from '../layout/web-controller.js';
import { checked, isTicked, problemsOf, type Typed } from '../parts/typed.js';
import { DestinationViews } from './destination-views.js';
import { bodyOf, readTyped } from './typed.js';

/** Serves the page of a destination. */
@WebController('forms/:identifier/destinations/:id')
export class DestinationPagesController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly log: DestinationLog,
    private readonly trials: DestinationTrials,
    private readonly forms: FormsService,
    private readonly views: DestinationViews,
  ) {}

  /** Show a destination and what it was sent. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { form, opened } = await this.get(principal, identifier, id);
    const asked = { principal, form, request, response };
    await this.views.send(asked, opened.destination.kind, opened, { query });
  }

  /** Change a destination. */
  @Post()
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { form, opened } = await this.get(principal, identifier, id);
    const { kind } = opened.destination;
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    try {
      const body = { destination: bodyOf(typed, kind, false) };
      const { destination } = await checked(ChangeDestinationDto, body);
      const changes = DestinationChangesDto.changes(destination);
      await this.destinations.change(principal, placeOf(form), id, changes);
      redirect(response, request.path, 'saved');
    } catch (error) {
      const asked = { principal, form, request, response };
      await this.views.send(asked, kind, opened, { typed, problems: problemsOf(error) });
    }
  }

  /** Try its conditions as they were typed. */
  @Post('try')
  @Requires('forms:write')
  @Allows('see')
  async tryOut(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { form, opened } = await this.get(principal, identifier, id);
    const asked = { principal, form, request, response };
    const { kind } = opened.destination;
    const typed = readTyped(sent, kind, CONDITIONS_MAX + 1);
    try {
      const { match, conditions, settings } = bodyOf(typed, kind, false);
      const body = await checked(TryDestinationDto, { destination: { match, conditions } });
      const choice = TryDestinationDto.choice(body);
      const trial = await this.trials.tryOut(principal, identifier, choice, settings);
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
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { form, opened } = await this.get(principal, identifier, id);
    const test = await this.trials.test(principal, placeOf(form), id, form);
    const asked = { principal, form, request, response };
    await this.views.send(asked, opened.destination.kind, opened, { test });
  }

  /** Send nothing there for now. */
  @Post('pause')
  @Requires('forms:write')
  pause(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const there = pageOf(request);
    const flash = 'destination_paused';
    return this.set(principal, identifier, id, { paused: true }, response, there, flash);
  }

  /** Send there again; with `resend`, also what it missed. */
  @Post('resume')
  @Requires('forms:write')
  async resume(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const place = placeOf(await this.forms.get(principal, identifier));
    await this.destinations.change(principal, place, id, { paused: false });
    if (isTicked(sent, 'resend')) await this.log.retry(principal, place, id);
    redirect(response, pageOf(request), 'destination_resumed');
  }

  /** Move it up in the list. */
  @Post('up')
  @Requires('forms:write')
  async up(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const { form, opened } = await this.get(principal, identifier, id);
    const all = await this.destinations.list(placeOf(form));
    const at = all.findIndex((each) => each.destination.id.equals(opened.destination.id));
    const position = Math.max(at, 1);
    await this.set(principal, identifier, id, { position }, response, listOf(identifier), 'saved');
  }

  /** Retry everything that failed to go there. */
  @Post('retry')
  @Requires('forms:write')
  async retry(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const place = placeOf(await this.forms.get(principal, identifier));
    await this.log.retry(principal, place, id);
    redirect(response, pageOf(request), 'redelivered');
  }

  /** Delete it. */
  @Post('delete')
  @Requires('forms:write')
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const place = placeOf(await this.forms.get(principal, identifier));
    await this.destinations.delete(principal, place, id);
    redirect(response, listOf(identifier), 'destination_deleted');
  }

  private async set(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    changes: { paused?: boolean; position?: number },
    response: Response,
    path: string,
    flash: Flash,
  ): Promise<void> {
    const place = placeOf(await this.forms.get(principal, identifier));
    await this.destinations.change(principal, place, id, changes);
    redirect(response, path, flash);
  }

  private async get(principal: Principal, identifier: string, id: Buffer | null) {
    const form = await this.forms.get(principal, identifier);
    return { form, opened: await this.destinations.show(placeOf(form), id) };
  }
}

/** Returns the page of a destination, behind whose address something is done. */
function pageOf({ path }: Request): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function listOf(identifier: string): string {
  return `/forms/${identifier}/destinations`;
}
