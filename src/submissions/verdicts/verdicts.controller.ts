import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Uuid, UuidInPath } from '../../platform/http/wrapped.js';
import { VerdictDto } from './dto/verdict.dto.js';
import { VerdictsService } from './verdicts.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/verdict')
export class VerdictsController {
  constructor(private readonly verdicts: VerdictsService) {}

  /**
   * Show the verdict on a submission, with the reasons: everything that speaks for it and against it, with its
   * points.
   */
  @Get()
  @UuidInPath('id')
  @Requires('submissions:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<VerdictDto> {
    return VerdictDto.of(await this.verdicts.show(principal, identifier, id));
  }
}
