import { Param, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { DestinationExclusions } from '../../destinations/destination-exclusions.service.js';
import { FormsService } from '../../forms/forms.service.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

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
    @Asked() { principal, identifier }: PageInput,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<PageAnswer> {
    return this.set(principal, identifier, id, true);
  }

  /** Take it in again. */
  @Post('include')
  @Requires('forms:write')
  include(
    @Asked() { principal, identifier }: PageInput,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<PageAnswer> {
    return this.set(principal, identifier, id, false);
  }

  private async set(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    isExcluded: boolean,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    await this.exclusions.set(principal, form, id, isExcluded);
    return goTo(`/forms/${identifier}/destinations`, 'saved');
  }
}
