import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires, Principal } from '../../accounts/access/index.js';
import { ErasedVisitorDto, EraseVisitorDto } from './visitor.dto.js';
import { VisitorsService } from './visitors.service.js';

@Controller('api/v1/visitors')
export class VisitorsController {
  constructor(private readonly visitors: VisitorsService) {}

  /**
   * Erase a person in all forms: everything sent under an email address, spam and trash too, with files, notes
   * and the history of mails and webhook calls. With `dry_run` it only tells what would go.
   */
  @Post('erase')
  @HttpCode(200)
  @Requires('submissions:write')
  async erase(
    @CurrentPrincipal() principal: Principal,
    @Body() { email, dry_run }: EraseVisitorDto,
  ): Promise<ErasedVisitorDto> {
    if (dry_run === true) {
      return ErasedVisitorDto.of(null, await this.visitors.traces(principal, email));
    }
    const { receipt, traces } = await this.visitors.erase(principal, email);
    return ErasedVisitorDto.of(receipt, traces);
  }
}
