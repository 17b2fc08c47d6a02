import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import type { PageRequest } from '../../auth/session.guard.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { ChangeViewDto, CreateViewDto } from '../../saved-views/dto/saved-view.dto.js';
import type { SavedView } from '../../saved-views/saved-view.entity.js';
import { EVERY, type Every } from '../../saved-views/digest-times.js';
import { ViewDigestsService } from '../../saved-views/view-digests.service.js';
import { SavedViewsService } from '../../saved-views/saved-views.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, isTicked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { inboxAddress } from '../addresses/folders.js';
import { ViewsPage, type ViewShown, type ViewTyped } from './views.page.js';

/** Serves the page of saved views. */
@WebController('views')
export class SavedViewPagesController {
  constructor(
    private readonly views: SavedViewsService,
    private readonly digests: ViewDigestsService,
    private readonly frames: Frames,
  ) {}

  /** List the views. */
  @Get()
  @Allows('see')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.show(principal, request, response, null);
  }

  /** Save a filter, and show it. */
  @Post()
  @Allows('see')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { line, ...typed } = typedIn(null, sent);
    await this.take(principal, { ...typed, line }, request, response, async () => {
      const view = { name: typed.name, q: line, team: typed.isTeams };
      const settings = CreateViewDto.settings(await checked(CreateViewDto, { view }));
      const saved = await this.views.create(principal, settings, null);
      redirect(response, inboxAddress(saved.line), 'view_saved');
    });
  }

  /** Rename a view, change its filter, or share it. */
  @Post(':id')
  @Allows('see')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const before = await this.views.show(principal, id);
    const typed = typedIn(formatUuid(before.id), sent);
    await this.take(principal, typed, request, response, async () => {
      const { name, line, isTeams } = typed;
      const view = { name, q: line, ...(principal.may('triage') && { team: isTeams }) };
      const settings = ChangeViewDto.settings(await checked(ChangeViewDto, { view }));
      await this.views.change(principal, id, settings);
      redirect(response, '/views', 'saved');
    });
  }

  /** Delete a view. */
  @Post(':id/delete')
  @Allows('see')
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    await this.views.delete(principal, id);
    redirect(response, '/views', 'view_deleted');
  }

  /** Be told of a view by mail, or no more. */
  @Post(':id/digest')
  @Allows('see')
  async digest(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', Uuid) id: Buffer | null,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const every = EVERY.find((each) => each === textOf(sent, 'every'));
    if (every) await this.digests.subscribe(signedIn, id, every);
    else await this.digests.unsubscribe(signedIn, id);
    redirect(response, '/views', every ? 'digest_on' : 'digest_off');
  }

  /** Makes a change; shows the page again with what was typed when that breaks a rule. */
  private async take(
    principal: Principal,
    typed: ViewTyped,
    request: Request,
    response: Response,
    change: () => Promise<void>,
  ): Promise<void> {
    let problems: FieldProblem[];
    try {
      await change();
      return;
    } catch (error) {
      problems = problemsOf(error).map((each) => ({ ...each, field: fieldOf(each) }));
    }
    await this.show(principal, request, response, { ...typed, problems });
  }

  private async show(
    principal: Principal,
    request: Request,
    response: Response,
    typed: ViewTyped | null,
  ): Promise<void> {
    const views = await this.views.list(principal);
    const { view, person } = (request as PageRequest).signedIn ?? {};
    const reader = view?.person ?? person;
    const told = reader ? await this.digests.of(reader, views) : new Map<string, Every>();
    const page = ViewsPage({
      frame: await this.frames.of(request, response),
      rows: views.map((each) => {
        return { ...shownView(each), every: told.get(each.id.toString('latin1')) ?? '' };
      }),
      mayBeTold: reader?.verifiedAt != null,
      mayShare: principal.may('triage'),
      typed,
    });
    sendPage(response, page, typed === null ? 200 : UNPROCESSABLE);
  }
}

/** Returns a view as pages show it. */
export function shownView({ id, name, line, isTeams }: SavedView): ViewShown {
  return { id: formatUuid(id), name, line, isTeams };
}

function typedIn(id: string | null, sent: Typed | undefined): ViewTyped {
  return {
    id,
    name: textOf(sent, 'view.name'),
    line: textOf(sent, 'view.q').trim(),
    isTeams: isTicked(sent, 'view.team'),
    problems: [],
  };
}

/** Returns the field of the page: a line that cannot be understood is `q` elsewhere. */
function fieldOf({ field }: FieldProblem): string {
  return field === 'q' ? 'view.q' : field;
}
