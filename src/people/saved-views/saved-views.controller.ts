import { Body, Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { CurrentPrincipal, RoutesRequire, SessionRoute, Principal } from '../../accounts/access/index.js';
import { MessageDto, UuidParam } from '../../platform/http/index.js';
import {
  ChangeViewDto,
  CreateViewDto,
  SavedViewDto,
  SavedViewListDto,
  DigestDto,
  SetDigestDto,
} from './saved-view.dto.js';
import { SavedViewsService, ViewDigestsService } from './saved-views.service.js';
import { CurrentPerson } from '../auth/browsers.cookie.js';
import type { SignedIn } from '../sign-in/sign-in.service.js';

@Controller('api/v1/views')
@RoutesRequire('submissions:read')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  /**
   * List the views of the team and your own, by name. The team is the account, or the client that the token acts for:
   * neither sees the other's views.
   */
  @Get()
  async list(@CurrentPrincipal() principal: Principal): Promise<SavedViewListDto> {
    const views = await this.views.list(principal);
    return { views: views.map((view) => SavedViewDto.of(view)) };
  }

  /** Save a filter as a view, up to 50 personal ones and 50 of the team. */
  @Post()
  async create(@CurrentPrincipal() principal: Principal, @Body() body: CreateViewDto): Promise<SavedViewDto> {
    const { form = null } = body.view;
    return SavedViewDto.of(await this.views.create(principal, CreateViewDto.settings(body), form));
  }

  /** Show a view. */
  @Get(':id')
  async show(@CurrentPrincipal() principal: Principal, @UuidParam('id') id: Buffer | null): Promise<SavedViewDto> {
    return SavedViewDto.of(await this.views.show(principal, id));
  }

  /** Change a view; the team's need `submissions:write`. */
  @Patch(':id')
  async change(
    @CurrentPrincipal() principal: Principal,
    @UuidParam('id') id: Buffer | null,
    @Body() body: ChangeViewDto,
  ): Promise<SavedViewDto> {
    return SavedViewDto.of(await this.views.change(principal, id, ChangeViewDto.settings(body)));
  }

  /** Delete a view; the team's need `submissions:write`. What it shows stays as it is. */
  @Delete(':id')
  async delete(@CurrentPrincipal() principal: Principal, @UuidParam('id') id: Buffer | null): Promise<MessageDto> {
    await this.views.delete(principal, id);
    return { message: 'The view has been deleted.' };
  }
}

/** Mails that tell who is signed in what is new in a saved view. */
@Controller('api/v1/me/views/:id/digest')
@SessionRoute()
export class ViewDigestsController {
  constructor(private readonly digests: ViewDigestsService) {}

  /** Show your email digest of a view. */
  @Get()
  async show(@CurrentPerson() signedIn: SignedIn, @UuidParam('id') id: Buffer | null): Promise<DigestDto> {
    return { every: await this.digests.show(signedIn, id) };
  }

  /**
   * Turn on the email digest of a view: at 8:00 in your time zone, daily or on Mondays, if there is something
   * new. It goes to your own address, which has to be verified: you have used a link that was mailed there.
   */
  @Put()
  async subscribe(
    @CurrentPerson() signedIn: SignedIn,
    @UuidParam('id') id: Buffer | null,
    @Body() { every }: SetDigestDto,
  ): Promise<DigestDto> {
    await this.digests.subscribe(signedIn, id, every);
    return { every };
  }

  /** Turn off the email digest of a view. */
  @Delete()
  async unsubscribe(@CurrentPerson() signedIn: SignedIn, @UuidParam('id') id: Buffer | null): Promise<DigestDto> {
    await this.digests.unsubscribe(signedIn, id);
    return { every: null };
  }
}
