import { Body, Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { OpenWhileViewing, SessionRoute } from '../access/access.decorators.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { ViewsService } from '../people/sign-in/views.service.js';
import { Config } from '../platform/config/config.js';
import { addressOf } from '../platform/http/requests/address.js';
import { BeginViewDto, ViewDto } from './dto/view.dto.js';
import { Fresh } from './fresh.interceptor.js';
import { CurrentPerson } from './signed-in.decorator.js';

/** Begins and ends the view of an owner, who then sees the pages as somebody else in the browser that asks. */
@Controller('api/v1/me/view')
@SessionRoute()
export class ViewController {
  constructor(
    private readonly views: ViewsService,
    private readonly config: Config,
  ) {}

  /** Show the person you are viewing as. */
  @Get()
  @OpenWhileViewing()
  show(@CurrentPerson() { view }: SignedIn): ViewDto {
    return ViewDto.of(view);
  }

  /**
   * Start viewing as another person of your account or of one of its clients. Until you end it nothing can be
   * changed in this browser. For owners.
   */
  @Post()
  @HttpCode(200)
  @Fresh()
  async begin(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { view: { person_id: personId, client_id: clientId = null } }: BeginViewDto,
    @Req() request: Request,
  ): Promise<ViewDto> {
    const address = addressOf(request, this.config);
    return ViewDto.of(await this.views.begin(signedIn, personId, clientId, address));
  }

  /** Stop viewing as another person. */
  @Delete()
  @OpenWhileViewing()
  async end(@CurrentPerson() signedIn: SignedIn, @Req() request: Request): Promise<ViewDto> {
    await this.views.end(signedIn, addressOf(request, this.config));
    return ViewDto.of(null);
  }
}
