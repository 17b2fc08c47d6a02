import { Body, Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { IdentitiesService } from '../../people/credentials/identities.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { parseUuid } from '../../platform/kernel/uuid.js';
import { redirect } from '../layout/flash.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';

/** Links and unlinks what a person is known by at the provider. */
@Controller('account/identities')
@WebPage('people')
@Fresh()
@UseFilters(WebFilter)
export class IdentityPagesController {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly config: Config,
  ) {}

  /** Unlink one. */
  @Post('remove')
  async remove(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const id = parseUuid(textOf(typed, 'identity'));
    await this.identities.removeOwn(signedIn, id, addressOf(request, this.config));
    redirect(response, '/account', 'identity_unlinked');
  }
}
