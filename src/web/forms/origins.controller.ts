import { Body, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { AllowDomainDto } from '../../search/origins/dto/origins.dto.js';
import { OriginsService } from '../../search/origins/origins.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf } from '../submission/submission-views.js';
import { redirect } from '../layout/flash.js';
import { checked, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';

/** Serves the buttons beside the origins on the page of allowed domains. */
@WebController('forms/:identifier/origins')
export class OriginPagesController {
  constructor(private readonly origins: OriginsService) {}

  /** Allow what comes from a domain, and go back to where it was asked for: that page, or a submission. */
  @Post()
  @Requires('forms:write')
  async allow(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const { domain } = await checked(AllowDomainDto, { domain: textOf(sent, 'domain') });
    await this.origins.allow(principal, identifier, domain);
    const id = parseUuid(textOf(sent, 'submission'));
    const back =
      id === null
        ? `/forms/${identifier}/domains#s-origins`
        : submissionAddress(identifier, formatUuid(id), lineOf(sent));
    redirect(response, back, 'domain_allowed');
  }
}
