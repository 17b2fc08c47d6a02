import { Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OpenWhileViewing, Requires, WebPage } from '../../access/access.decorators.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import type { Member } from '../../people/members/people.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { ViewsService } from '../../people/sign-in/views.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import { redirect } from '../layout/flash.js';
import { WebFilter } from '../layout/web.filter.js';
import { HOME } from '../sign-in/sign-in.controller.js';

/** Lets owners see the pages as somebody else does. */
@Controller()
@WebPage()
@UseFilters(WebFilter)
export class ViewPagesController {
  constructor(
    private readonly views: ViewsService,
    private readonly config: Config,
  ) {}

  /** See them as a member of the account. */
  @Post('people/:id/view')
  @Requires('people:write')
  @Fresh()
  seeAsMember(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', RecordId) id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.begin(signedIn, id, null, request, response);
  }

  /** See them as a person of a client. */
  @Post('clients/:id/people/:personId/view')
  @Requires('people:write')
  @Fresh()
  seeAsClientPerson(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', RecordId) id: number,
    @Param('personId', RecordId) personId: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.begin(signedIn, personId, id, request, response);
  }

  /** See them as oneself again. */
  @Post('view/end')
  @OpenWhileViewing()
  async end(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.views.end(signedIn, addressOf(request, this.config));
    redirect(response, signedIn.view ? pageOf(signedIn.view) : HOME, 'view_ended');
  }

  private async begin(
    signedIn: SignedIn,
    personId: number,
    clientId: number | null,
    request: Request,
    response: Response,
  ): Promise<void> {
    await this.views.begin(signedIn, personId, clientId, addressOf(request, this.config));
    redirect(response, HOME);
  }
}

/** Returns the owner's page about the person, where the view began. */
function pageOf({ person, membership: { clientId } }: Member): string {
  return clientId === null ? `/people/${person.id}` : `/clients/${clientId}/people/${person.id}`;
}
