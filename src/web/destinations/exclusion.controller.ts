import { Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { DestinationExclusions } from '../../destinations/destination-exclusions.service.js';
import { FormsService } from '../../forms/forms.service.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { redirect } from '../layout/flash.js';
import { WebController } from '../layout/web-controller.js';

/** Lets a form leave out a destination of all forms. */
@WebController('forms/:identifier/destinations/:id')
export class DestinationExclusionPagesController {
  constructor(
    private readonly exclusions: DestinationExclusions,
    private readonly forms: FormsService,
  ) {}

  /** Leave it out. */
  @Post('exclude')
  @Requires('forms:write')
  exclude(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    return this.set(principal, identifier, id, true, response);
  }

  /** Take it in again. */
  @Post('include')
  @Requires('forms:write')
  include(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    return this.set(principal, identifier, id, false, response);
  }

  private async set(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    isExcluded: boolean,
    response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    await this.exclusions.set(principal, form, id, isExcluded);
    redirect(response, `/forms/${identifier}/destinations`, 'saved');
  }
}
