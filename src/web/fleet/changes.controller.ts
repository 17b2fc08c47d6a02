import { Body, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { ClientLists } from '../../clients/client-lists.service.js';
import { ChangeFleetDto, FleetSettingsDto } from '../../fleet/dto/change-fleet.dto.js';
import { FORMS_CHANGED_MAX } from '../../fleet/fleet-change.js';
import { FleetChanges } from '../../fleet/fleet-changes.service.js';
import { FleetService } from '../../fleet/fleet.service.js';
import { FormLists } from '../../forms/form-lists.service.js';
import type { FormSummary } from '../../forms/forms.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { checked, isTicked, problemsOf, textsOf, type Typed } from '../parts/typed.js';
import { changeTyped, formsTyped } from './change-typed.js';
import { ChangePage } from './change.page.js';
import { FatesPage } from './fates.page.js';
import { listAsked } from './list-ask.js';

/** Clients that can be chosen. */
const CLIENTS_NAMED = 200;

/** A request for the page of a change. */
interface Asked {
  principal: Principal;
  request: Request;
  response: Response;
}

/** Serves the pages that change many forms at once: what to change, the differences, and what became of them. */
@WebController('change-forms')
export class FleetChangePagesController {
  constructor(
    private readonly fleet: FleetService,
    private readonly changes: FleetChanges,
    private readonly lists: FormLists,
    private readonly clients: ClientLists,
    private readonly frames: Frames,
  ) {}

  /** Ask what to change in the selected forms, or in all that a filter means. */
  @Get()
  @Requires('forms:write')
  async ask(
    @CurrentPrincipal() principal: Principal,
    @Query() sent: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const forms = isTicked(sent, 'all')
      ? (await this.fleet.meant(principal, listAsked(sent).filter)).forms
      : await this.lists.identified(principal, textsOf(sent, 'form'));
    await this.show({ principal, request, response }, forms, undefined, []);
  }

  /** Show the differences that a change makes, or make it. */
  @Post()
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      if (isTicked(sent, 'edit')) throw new Edited();
      const { change: asked } = await checked(ChangeFleetDto, changeTyped(sent));
      const { forms } = asked;
      const change = FleetSettingsDto.of(asked.settings);
      const isApplied = isTicked(sent, 'apply');
      const fates = isApplied
        ? await this.changes.apply(principal, forms, change)
        : await this.changes.preview(principal, forms, change);
      const frame = await this.frames.of(request, response);
      const clients = await this.clientsOf(principal);
      sendPage(response, FatesPage({ frame, fates, clients, typed: sent, isApplied }));
    } catch (error) {
      const problems = error instanceof Edited ? [] : problemsOf(error);
      const forms = await this.lists.identified(principal, formsTyped(sent));
      await this.show({ principal, request, response }, forms, sent, problems);
    }
  }

  private async show(
    { principal, request, response }: Asked,
    forms: readonly FormSummary[],
    typed: Typed | undefined,
    problems: FieldProblem[],
  ): Promise<void> {
    const page = ChangePage({
      frame: await this.frames.of(request, response),
      forms: forms.slice(0, FORMS_CHANGED_MAX),
      total: forms.length,
      clients: principal.has('clients:write') ? await this.clientsOf(principal) : [],
      ...{ typed, problems },
    });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : undefined);
  }

  private clientsOf(principal: Principal) {
    return this.clients.first(principal, CLIENTS_NAMED);
  }
}

/** Leads from the differences back to what was typed. */
class Edited extends Error {}
