import { Controller, Delete, Param, Put, Get } from '@nestjs/common';
import {
  CurrentPrincipal,
  SessionRoute,
  Requires,
  InForm,
  ActionForbidden,
  Principal,
} from '../../accounts/access/index.js';
import { FormNotFound } from '../../forms/model/form.errors.js';
import { UuidParam } from '../../platform/http/index.js';
import { ViewersDto } from './viewers.dto.js';
import { PresenceService } from './presence.service.js';

/** Says which submission the person of the session has open. */
@Controller('api/v1/me/forms/:identifier/submissions/:id/presence')
@SessionRoute()
export class PresenceController {
  constructor(private readonly presence: PresenceService) {}

  /**
   * Report that you have a submission open, and get the other viewers. It lasts 75 s unless you say so again;
   * of what you have open the last counts. That you saw it stays in its timeline.
   */
  @Put()
  open(
    @CurrentPrincipal() principal: Principal | undefined,
    @Param('identifier') identifier: string,
    @UuidParam('id') id: Buffer | null,
  ): Promise<ViewersDto> {
    return this.note(principal, identifier, id, true);
  }

  /** Report that you closed a submission. */
  @Delete()
  leave(
    @CurrentPrincipal() principal: Principal | undefined,
    @Param('identifier') identifier: string,
    @UuidParam('id') id: Buffer | null,
  ): Promise<ViewersDto> {
    return this.note(principal, identifier, id, false);
  }

  /** @throws FormNotFound too for a person who acts for no account at the moment, and so sees no form */
  private async note(
    principal: Principal | undefined,
    identifier: string,
    id: Buffer | null,
    isOpen: boolean,
  ): Promise<ViewersDto> {
    if (!principal) throw new FormNotFound();
    if (!principal.may('see')) throw new ActionForbidden('see');
    await this.presence.note(principal, identifier, id, isOpen);
    return ViewersDto.of(await this.presence.others(principal, identifier, id));
  }
}

@Controller('api/v1/forms/:identifier/submissions/:id/viewers')
export class ViewersController {
  constructor(private readonly presence: PresenceService) {}

  /**
   * List people who have a submission open in a browser. An event `presence` says that it changed in the form;
   * who leaves without a word, as by a lost connection, counts for 75 s more.
   */
  @Get()
  @Requires('submissions:read')
  async show(@InForm('id') { principal, identifier, id }: InForm): Promise<ViewersDto> {
    return ViewersDto.of(await this.presence.others(principal, identifier, id));
  }
}
