import { Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { AllowDomainDto } from '../../search/origins/dto/origins.dto.js';
import { OriginsService } from '../../search/origins/origins.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf } from '../submission/submission-views.js';
import { checked, textOf } from '../parts/typed.js';
import { goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the buttons beside the origins on the page of allowed domains. */
@WebController('forms/:identifier/origins')
export class OriginPagesController {
  constructor(private readonly origins: OriginsService) {}

  /** Allow what comes from a domain, and go back to where it was asked for: that page, or a submission. */
  @Post()
  @Requires('forms:write')
  async allow(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const { domain } = await checked(AllowDomainDto, { domain: textOf(sent, 'domain') });
    await this.origins.allow(principal, identifier, domain);
    const id = parseUuid(textOf(sent, 'submission'));
    const back =
      id === null
        ? `/forms/${identifier}/domains#s-origins`
        : submissionAddress(identifier, formatUuid(id), lineOf(sent));
    return goTo(back, 'domain_allowed');
  }
}
